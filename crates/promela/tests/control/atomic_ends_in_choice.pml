byte x, y;
active proctype A() { do :: atomic { if :: x < 2 -> x++ :: x >= 2 -> x = 0; break fi } od; y = 1 }
active proctype B() { do :: atomic { y == 1 -> break } :: x == 1 -> y = y od }
