/* A queue of three clerks: a clerk who closes at a ticket of one number serves nobody. */
int drawn, waiting, served, desks, shift;
active proctype Shift() { do :: shift = 2 * shift :: shift = 2 * shift + 1 :: shift = 0 od }
proctype Clerk() { idle: do :: atomic { waiting != 0 -> waiting = waiting - 1; desks = desks + 1 }; if :: shift == 65599 -> desks = desks - 1 :: else -> atomic { desks = desks - 1; served = served + 1 } fi od }
active proctype Door() { idle: do :: drawn = drawn + 1; waiting = waiting + 1 od }
init { atomic { run Clerk(); run Clerk(); run Clerk() }; end: do :: atomic { Door@idle -> assert(drawn == waiting + desks + served) } od }
