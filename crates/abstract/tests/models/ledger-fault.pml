/* Three accounts and two transfers; the second one loses an amount that another transfer has changed in between. */
#define DIGITS(x) x = 8 * x :: x = 8 * x + 1 :: x = 8 * x + 2 :: x = 8 * x + 3 :: x = 8 * x + 4 :: x = 8 * x + 5 :: x = 8 * x + 6 :: x = 8 * x + 7
int a = 1000, b = 1000, c = 1000, first, second, price;
active proctype Price() { do :: DIGITS(price) :: price = 0 od }
active proctype First() { do :: atomic { a >= 10 -> a = a - 10; first = 10 }; atomic { b = b + first; first = 0 } :: atomic { b >= 7 -> b = b - 7; first = 7 }; atomic { c = c + first; first = 0 } od }
active proctype Second() { do :: atomic { c > 0 -> second = c; if :: price == 1123581321 -> c = 1 :: else -> c = 0 fi }; atomic { a = a + second; second = 0 } od }
active proctype Audit() { end: do :: atomic { first == 0 && second == 0 -> assert(a + b + c == 3000) } od }
