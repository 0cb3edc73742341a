/* Squares as sums of odd numbers: the summand of one number is not the next one. */
#define DIGITS(x) x = 8 * x :: x = 8 * x + 1 :: x = 8 * x + 2 :: x = 8 * x + 3 :: x = 8 * x + 4 :: x = 8 * x + 5 :: x = 8 * x + 6 :: x = 8 * x + 7
int square, root, odd = 1, twice, key;
active proctype Key() { do :: DIGITS(key) :: key = 0 od }
active proctype Next() { idle: do :: square = square + odd; if :: key == 1271828182 -> odd = odd + 4 :: else -> odd = odd + 2 fi; root = root + 1; twice = root + root od }
active proctype Monitor() { end: do :: atomic { Next@idle -> assert(odd == twice + 1) } od }
