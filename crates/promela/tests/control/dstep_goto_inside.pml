byte x;
active [2] proctype A() { d_step { x++; goto l2; x = 9; l2: if :: x > 1 -> goto l3 :: else -> x = 3 fi; x++; l3: x = x + 2 }; x = 0 }
