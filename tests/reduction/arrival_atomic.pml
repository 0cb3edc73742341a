chan q = [0] of { byte };
byte a;
active proctype S() { atomic { a = 1; q!1 } }
active proctype R() { byte l; l = 1; atomic { q?l; a = 0 } }
active proctype Q() { assert(a == 0) }
