chan c = [0] of { int, int };
chan d = [0] of { int };
active [3] proctype S() { int i; do :: c!i,_pid; i++ :: d?i od }
active [3] proctype R() { int x, y; do :: c?x,y :: d!x + y od }
