/* A refused declaration has one error; its uses have none. */
unsigned wide : 32; //~ E0310
byte none[0]; //~ E0311
Unknown thing; //~ E0209
typedef Pair { byte a; unsigned b : 40; Other c }; //~ E0310 E0209
Pair pair;
chan sent = [1] of { byte, Lost }; //~ E0209
byte missing = ; //~ E0205
byte size[UNDECLARED]; //~ E0301
proctype P(byte list[3]; byte x) { //~ E0314
  list[1] = x;
  byte inner[-2]; //~ E0311
  inner[0] = 1
}
proctype Q(byte x byte y) { skip } //~ E0205
init {
  unsigned w; //~ E0310
  w = wide + none[1];
  thing.a.b = 1;
  pair.b = pair.c.d;
  sent!1,2,3;
  missing = 1;
  size[1] = 2;
  undeclared[1] = 3; //~ E0301
  undeclared[2] = 4;
  run P(1);
  run Q(1, 2);
  assert(P[0]:list == 1 && P[0]:inner == 2)
}
