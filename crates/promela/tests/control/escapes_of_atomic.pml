byte x, s;
active proctype A() { { x = 1; atomic { x = 2; x = 3; s == 2; x = 4 }; d_step { x = 5; x = 6 }; x = 7 } unless { s == 1 -> x = 20 } }
active proctype B() { s = 1; s = 2 }
