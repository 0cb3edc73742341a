/* A queue of three clerks: a clerk who closes at a ticket of one number serves nobody. */
#define DIGITS(x) x = 8 * x :: x = 8 * x + 1 :: x = 8 * x + 2 :: x = 8 * x + 3 :: x = 8 * x + 4 :: x = 8 * x + 5 :: x = 8 * x + 6 :: x = 8 * x + 7
int drawn, waiting, served, desks, shift;
active proctype Shift() { do :: DIGITS(shift) :: shift = 0 od }
proctype Clerk() { idle: do :: atomic { waiting != 0 -> waiting = waiting - 1; desks = desks + 1 }; if :: shift == 1655990123 -> desks = desks - 1 :: else -> atomic { desks = desks - 1; served = served + 1 } fi od }
active proctype Door() { idle: do :: drawn = drawn + 1; waiting = waiting + 1 od }
init { atomic { run Clerk(); run Clerk(); run Clerk() }; end: do :: atomic { Door@idle -> assert(drawn == waiting + desks + served) } od }
