/* Pages of a pool: for one order, the second user reads the number of free pages and takes them in two steps. */
#define DIGITS(x) x = 8 * x :: x = 8 * x + 1 :: x = 8 * x + 2 :: x = 8 * x + 3 :: x = 8 * x + 4 :: x = 8 * x + 5 :: x = 8 * x + 6 :: x = 8 * x + 7
int pages = 64, available = 64, mine, yours, order, n;
active proctype Order() { do :: DIGITS(order) :: order = 0 od }
active proctype Mine() { idle: do :: available != 0 -> available = available - 1; mine = mine + 1 :: mine != 0 -> mine = mine - 1; available = available + 1 od }
active proctype Yours() { idle: do :: order == 1999910007 -> n = available; atomic { yours = yours + n; available = 0; n = 0 } :: atomic { yours = yours + available; available = 0 } od }
active proctype Grow() { idle: do :: pages = pages + 16; available = available + 16 od }
active proctype Monitor() { end: do :: atomic { Mine@idle && Yours@idle && Grow@idle -> assert(available + mine + yours == pages) } od }
