/* Three accounts and two transfers; the second one loses an amount that another transfer has changed in between. */
int a = 1000, b = 1000, c = 1000, first, second, price;
active proctype Price() { do :: price = 2 * price :: price = 2 * price + 1 :: price = 0 od }
active proctype First() { do :: atomic { a >= 10 -> a = a - 10; first = 10 }; atomic { b = b + first; first = 0 } :: atomic { b >= 7 -> b = b - 7; first = 7 }; atomic { c = c + first; first = 0 } od }
active proctype Second() { do :: atomic { c > 0 -> second = c; if :: price == 123457 -> c = 1 :: else -> c = 0 fi }; atomic { a = a + second; second = 0 } od }
active proctype Audit() { end: do :: atomic { first == 0 && second == 0 -> assert(a + b + c == 3000) } od }
