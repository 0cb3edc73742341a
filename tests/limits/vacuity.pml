/* The formula holds in 100,000 states; each of its parts is checked by a further search. */
int i, j;
bool p, q, r;
active proctype A() { do :: i < 200000 -> i++ :: else -> i = 0 od }
active proctype B() { do :: j < 3 -> j++ :: else -> j = 0 od }
ltl one { [] ((i < 200001) || (q && r && j == 77) || (p && !r && j == 78) || <> (i == -1)) }
ltl two { [] ((j < 200001) || (q && r && i == -78) || (p && !q && i == -79)) }
