/* A created process reads its number. */
byte last;
proctype helper() { last = _pid; assert(last != 3) }
active proctype first() { byte l; l = 1; run helper() }
active proctype second() { byte l; l = 1; run helper() }
