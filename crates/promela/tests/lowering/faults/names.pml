byte counter;
byte counter; //~ E0302
mtype = { red, green };
proctype P(byte a) {
  byte inner;
  inner = conter + a; //~ E0301
  byte counter; //~ E0302
  { byte inner; skip }; //~ E0302
  later = 1; //~ E0301
  red = 2; //~ E0304
  P = 3 //~ E0304
}
byte later;
byte _pid; //~ E0302
init {
  run Q(1); //~ E0325
  run P(1);
  byte red; //~ E0302
  _nr_pr = 3; //~ E0320
  later = _ //~ E0319
}
