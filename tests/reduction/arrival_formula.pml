chan q = [0] of { byte };
bool a;
active proctype S() { if :: q!1 :: else -> a = 1 fi }
active proctype R() { byte l; l = 1; do :: q?l od }
ltl p { [] !a }
