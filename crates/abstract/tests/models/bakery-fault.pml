/* The second process compares tickets the wrong way round. */
int a, b; byte inside;
active proctype A() { end: do :: atomic { b < 1000000000 -> a = b + 1 }; b == 0 || a < b; inside++; assert(inside == 1); inside--; a = 0 od }
active proctype B() { end: do :: atomic { a < 1000000000 -> b = a + 1 }; a == 0 || b > a; inside++; assert(inside == 1); inside--; b = 0 od }
