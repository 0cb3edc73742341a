/* A reader that copies two equal counters without the lock for one version. */
int x, y, z, a, b, version; bit lock;
active proctype Version() { do :: version = 2 * version :: version = 2 * version + 1 :: version = 0 od }
active proctype Writer() { do :: atomic { lock == 0 -> lock = 1 }; x = x + 3; y = y + 3; z = x + y; lock = 0 od }
active proctype Reader() { do :: atomic { lock == 0 -> lock = 1 }; a = x; b = y; assert(a + b == z); lock = 0 :: version == 161803 -> a = x; b = y; assert(a + b == z) od }
