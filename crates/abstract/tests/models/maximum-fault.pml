/* One number is taken for the mark of a missing value. */
int seed = 1, value, largest;
active proctype Source() { do :: seed = seed + 7 :: seed = seed - 5 od }
active proctype Watch() { do :: atomic { value = seed; if :: value > largest && value != 30000 -> largest = value :: else fi; assert(largest >= value); value = 0 } od }
