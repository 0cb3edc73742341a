byte b = 300; //~ W0308
bit one;
byte a[3];
mtype = { r };
mtype:other = { s };
mtype m;
mtype:other o;
chan c = [1] of { mtype, byte };
chan rv = [0] of { byte };
active proctype P() {
  one = 2; //~ W0308
  a[3] = one + b; //~ W0309
  c!r; //~ W0310
  c?m; //~ W0310
  c!s,a[0]; //~ W0312
  o = m; //~ W0312
  (o == r); //~ W0312
  d_step { rv!1 }; //~ W0313
  rv?b;
  printf("%d %d", b); //~ W0315
  d_step { b = 1; { b = 2 } unless { b == 3 } } //~ W0316
}
never { do :: b = 2 :: b == 1 -> break od } //~ W0314
typedef Pair { byte x = 3; byte y };
Pair pair = 1; //~ W0318
Pair pairs[2] = 2; //~ W0318
Pair listed[2] = {1, 2}; //~ W0318
active proctype Q() {
  Pair own = 4; //~ W0318
  assert(pair.x == 3 && pairs[1].x == 3 && listed[0].y == 0 && own.x == 3)
}
