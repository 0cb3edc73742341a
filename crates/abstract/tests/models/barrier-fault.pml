/* A process that was woken too often without reason does not wait any more. */
int a, b, wakeups;
active proctype P() { do :: a - b <= 0 -> a = a + 1 od }
active proctype Q() { do :: b - a < 0 -> b = b + 1 :: wakeups = wakeups + 1 :: wakeups > 25000 && b > 12000 -> b = b + 1 od }
active proctype Monitor() { end: do :: assert(a - b <= 1 && a - b >= 0) od }
