proctype P(byte k) { here: skip }
init {
  P[1]@here;
  P[1]@hear; //~ E0426
  Q[1]@here; //~ E0325
  P[1]:k == 1;
  P[1]:j == 1; //~ E0301
  d_step { P[1]@here } //~ E0420
}
