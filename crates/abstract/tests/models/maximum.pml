/* The largest of the numbers that were seen. */
int seed = 1, value, largest;
active proctype Source() { do :: seed = seed + 7 :: seed = seed - 5 od }
active proctype Watch() { do :: atomic { value = seed; if :: value > largest -> largest = value :: else fi; assert(largest >= value); value = 0 } od }
active proctype Monitor() { end: do :: assert(largest >= 0) od }
