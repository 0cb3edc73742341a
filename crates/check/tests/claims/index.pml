byte a[2], i;
active proctype Walk() { do :: i < 1 -> i++ :: i == 1 -> i = 0 od }
ltl first { <> (a[i] == 0) }
ltl moves { [] <> (i == 1) }
ltl stays { [] (i == 0) }
