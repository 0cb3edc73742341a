byte x, y;
active proctype A() { do :: d_step { if :: x < 3 -> x++ :: x < 5 -> x = x + 2 :: else -> x = 0; y++ fi } :: y > 1 -> break od }
active proctype B() { y == 1 -> x = 4 }
