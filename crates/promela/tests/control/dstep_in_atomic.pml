byte x, y;
active [2] proctype A() { atomic { x++; d_step { y = x; x = y + 1 }; x++; d_step { x > 2 -> x = 0 } } }
