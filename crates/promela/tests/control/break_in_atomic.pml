byte x;
active [2] proctype A() { do :: atomic { x < 3 -> x++; if :: x == 2 -> break :: else fi } :: x >= 3 -> break od; x = 0 }
