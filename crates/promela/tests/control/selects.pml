byte x; int y;
active proctype A() { select (x : 2 .. 5); select (y : -1 .. 1); select (x : y + 3 .. 5); if :: select (x : 0 .. 1) :: x = 9 fi }
