proctype P(byte a; mtype m) { skip }
mtype = { one };
mtype:other = { two };
byte x;
chan c = [1] of { byte };
byte early = run P(1, one); //~ E0317
init {
  run P(1); //~ E0316
  run P(1, one, 2); //~ E0316
  run P(1, two); //~ E0315
  (run P(1, one) > 0); //~ E0317
  c!run P(1, one); //~ E0317
  x = run P(1, one) + run P(2, one);
  d_step { run P(1, one) }; //~ E0420
  run P(1, one) priority 300 //~ E0323
}
