byte x;
active proctype P() {
endless: //~ W0301
  do :: x < 3 -> x++ :: else -> break od;
end_here: x = 0;
acceptable: x = 2; //~ W0301
progressing: (x == 2) //~ W0301
}
