byte x;
active proctype P() {
  do :: x = 1 - x od;
  x = 5; //~ W0305
  x = 6
}
active proctype Q() {
  goto done;
  x = 7; //~ W0305
done: x = 8
}
