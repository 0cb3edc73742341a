byte x, s;
active proctype A() { again: { x = 1; x = 2 } unless { s > 0 -> s--; goto again }; atomic { x = 3; x = 4 } unless { s == 9 } }
active proctype B() { s = 2 }
