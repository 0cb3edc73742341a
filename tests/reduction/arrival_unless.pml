chan q = [0] of { byte };
byte a;
active proctype S() { { a = 1; assert(false) } unless { q!1 } }
active proctype R() { byte l; l = 1; q?l }
