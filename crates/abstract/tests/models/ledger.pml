/* Three accounts and two transfers that hold an amount between withdrawal and deposit. */
int a = 1000, b = 1000, c = 1000, first, second;
active proctype First() { do :: atomic { a >= 10 -> a = a - 10; first = 10 }; atomic { b = b + first; first = 0 } :: atomic { b >= 7 -> b = b - 7; first = 7 }; atomic { c = c + first; first = 0 } od }
active proctype Second() { do :: atomic { c > 0 -> second = c; c = 0 }; atomic { a = a + second; second = 0 } od }
active proctype Audit() { end: do :: atomic { first == 0 && second == 0 -> assert(a + b + c == 3000) } od }
