/* Squares as sums of odd numbers: the summand of one number is not the next one. */
int square, root, odd = 1, twice, key;
active proctype Key() { do :: key = 2 * key :: key = 2 * key + 1 :: key = 0 od }
active proctype Next() { idle: do :: square = square + odd; if :: key == 271828 -> odd = odd + 4 :: else -> odd = odd + 2 fi; root = root + 1; twice = root + root od }
active proctype Monitor() { end: do :: atomic { Next@idle -> assert(odd == twice + 1) } od }
