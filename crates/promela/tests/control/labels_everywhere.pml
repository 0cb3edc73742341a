byte x;
active [2] proctype A() {
L0: L1: x++;
progress_1: goto M;
end_2: x = 9;
M: if :: x > 2 -> goto L2 :: else -> L3: x++ fi;
  do :: x < 4 -> goto L3 :: x >= 4 -> break od;
L2:
}
