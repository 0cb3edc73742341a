/* A queue of three clerks: tickets that were drawn are waiting, at a desk, or served. */
int drawn, waiting, served, desks;
proctype Clerk() { idle: do :: atomic { waiting != 0 -> waiting = waiting - 1; desks = desks + 1 }; atomic { desks = desks - 1; served = served + 1 } od }
active proctype Door() { idle: do :: drawn = drawn + 1; waiting = waiting + 1 od }
init { atomic { run Clerk(); run Clerk(); run Clerk() }; end: do :: atomic { Door@idle -> assert(drawn == waiting + desks + served) } od }
