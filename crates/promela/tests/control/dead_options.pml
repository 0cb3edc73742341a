byte x;
active proctype A() { do :: false -> x = 1 :: 0 -> x = 2 :: x < 2 -> x++ :: 1 -> break od; if :: false fi }
active proctype B() { x = 1 }
