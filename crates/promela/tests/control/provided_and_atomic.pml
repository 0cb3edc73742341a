bit t; byte x;
active proctype A() provided (t == 0) { atomic { x = 1; if :: x == 1 -> t = 1 fi }; x = 2; t = 1; x = 3 }
active proctype B() { do :: t == 1 -> t = 0 :: x == 3 -> break od }
