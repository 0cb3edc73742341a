byte a;
proctype W(chan c) { if :: c!1 :: else -> a = 1 fi }
active proctype R() { chan m = [0] of { byte }; run W(m); byte l; l = 1; m?l }
active proctype Q() { assert(a == 0) }
