byte x;
active [2] proctype A() { if :: x == 3 -> skip :: { else -> x++ } fi; if :: atomic { x == 2 -> x = 5 } :: else -> x = 1 fi; else -> x = 0 }
