int x;
active proctype Step() { do :: d_step { x < 4; x++; x <= 4 } :: x == 4 -> x = 0 od }
ltl returns { [] <> (x == 0) }
