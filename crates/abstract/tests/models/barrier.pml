/* Two processes that pass a barrier; neither is more than one round ahead. The rounds wrap. */
int a, b;
active proctype P() { do :: a - b <= 0 -> a = a + 1 od }
active proctype Q() { do :: b - a < 0 -> b = b + 1 od }
active proctype Monitor() { end: do :: assert(a - b <= 1 && a - b >= 0) od }
