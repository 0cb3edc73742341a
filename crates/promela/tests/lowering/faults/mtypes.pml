mtype = { a, b };
mtype:fruit = { apple, pear };
mtype:fruit f;
mtype m;
hidden mtype = { c }; //~ E0321
init {
  f = a; //~ E0315
  m = apple; //~ E0315
  f = pear;
  f = 3;
  m = c
}
