/* Four counters: as many states as fit, in wide levels. */
int a, b, c, d;
active proctype A() { do :: a++ od }
active proctype B() { do :: b++ od }
active proctype C() { do :: c++ od }
active proctype D() { do :: d++ :: assert(a + b + c + d != 1000000000) od }
