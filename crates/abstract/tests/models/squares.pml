/* Squares as sums of odd numbers: the square, its root and the next summand. */
int square, root, odd = 1, twice;
active proctype Next() { idle: do :: square = square + odd; odd = odd + 2; root = root + 1; twice = root + root od }
active proctype Monitor() { end: do :: atomic { Next@idle -> assert(odd == twice + 1) } od }
