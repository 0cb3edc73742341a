/* A reader that copies two equal counters without the lock for one version. */
#define DIGITS(x) x = 8 * x :: x = 8 * x + 1 :: x = 8 * x + 2 :: x = 8 * x + 3 :: x = 8 * x + 4 :: x = 8 * x + 5 :: x = 8 * x + 6 :: x = 8 * x + 7
int x, y, z, a, b, version; bit lock;
active proctype Version() { do :: DIGITS(version) :: version = 0 od }
active proctype Writer() { do :: atomic { lock == 0 -> lock = 1 }; x = x + 3; y = y + 3; z = x + y; lock = 0 od }
active proctype Reader() { do :: atomic { lock == 0 -> lock = 1 }; a = x; b = y; assert(a + b == z); lock = 0 :: version == 1161803399 -> a = x; b = y; assert(a + b == z) od }
