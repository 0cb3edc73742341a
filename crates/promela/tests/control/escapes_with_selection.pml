byte x, s;
active proctype A() { do :: { x = 1; if :: x == 1 -> x = 2 :: x == 2 -> x = 3 fi; goto next } unless { if :: s == 1 -> x = 10 :: s == 2 -> x = 11; break fi }; next: x = 0 od; x = 5 }
active proctype B() { s = 1; s = 0; s = 2 }
