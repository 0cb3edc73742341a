byte x;
active [2] proctype A() { do :: if :: x == 1 -> x = 2 :: else -> x = 1 fi :: x == 2 -> break :: x == 0 -> x = 2 od }
