/* A reader that copies two equal counters under a lock sees equal copies, with a third one that the writer has read before. */
int x, y, z, a, b; bit lock;
active proctype Writer() { do :: atomic { lock == 0 -> lock = 1 }; x = x + 3; y = y + 3; z = x + y; lock = 0 od }
active proctype Reader() { do :: atomic { lock == 0 -> lock = 1 }; a = x; b = y; assert(a + b == z); lock = 0 od }
