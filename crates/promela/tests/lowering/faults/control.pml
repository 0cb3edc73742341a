byte x;
proctype A() {
  break; //~ E0423
  goto nowhere; //~ E0426
  if
  :: else -> skip
  :: x -> skip
  :: else -> skip //~ E0427
  fi
}
proctype B() {
  atomic { first: x = 1 }; //~ E0421
  d_step { goto out }; //~ E0422
  out: skip;
  x: skip //~ E0424
}
proctype C() {
  goto in; //~ E0422
  d_step { x = 1; in: x = 2 }
}
proctype D() {
  round: goto round //~ E0425
}
proctype E() {
  do
  :: d_step { x = 1; break } //~ E0422
  od
}
active proctype F() {
  for (x : 5 .. 2) { skip }; //~ E0332
  np_ //~ E0324
}
