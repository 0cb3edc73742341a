/* Channels of many messages, sorted sends and random receives. */
chan c = [60] of { int, byte };
chan d = [60] of { int };
active [2] proctype S() { int i; do :: c!!i,1; i = (i * 5 + 1) % 1000 :: d!i od }
active [2] proctype R() { int x; byte b; do :: c??x,b :: d?x :: c?[x,1] -> d!x od }
