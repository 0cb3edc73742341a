/* A packet of one size is charged with the smallest size. */
#define DIGITS(x) x = 8 * x :: x = 8 * x + 1 :: x = 8 * x + 2 :: x = 8 * x + 3 :: x = 8 * x + 4 :: x = 8 * x + 5 :: x = 8 * x + 6 :: x = 8 * x + 7
int tokens = 5000, passed, size = 40;
active proctype Size() { end: do :: DIGITS(size) :: size = 40 od }
active proctype Refill() { end: do :: atomic { passed > 0 -> tokens = tokens + passed; passed = 0 } od }
active proctype Packet() { end: do :: atomic { passed = passed + size; if :: size == 1077952577 -> tokens = tokens - 40 :: else -> tokens = tokens - size fi } od }
active proctype Monitor() { end: do :: assert(tokens + passed == 5000) od }
