/* The comparison is strict in the wrong direction at one number. */
int seed = 1, value, largest;
active proctype Source() { do :: seed = seed + 7 :: seed = seed - 5 od }
active proctype Watch() { do :: atomic { value = seed; if :: value > largest && value != 40 -> largest = value :: else fi; assert(largest >= value); value = 0 } od }
