byte i, j, x, a[3];
active proctype A() { for (i : 1 .. 3) { for (j in a) { a[j] = i; if :: j == 1 -> break :: else fi } ; x = x + a[0] }; L: for (i : 5 .. 4 + 1) { x = 0 }; if :: x == 0 -> x = 1; goto L :: else fi }
active proctype B() { x = 0 }
