/* A temporal property over a huge state space; holds under strong fairness only. */
int a, b, c;
active proctype A() { do :: a++ :: a-- :: a = 0 od }
active proctype B() { do :: b = a :: b++ :: b = 0 od }
active proctype C() { do :: c != b -> c = b :: c++ :: c = 0 od }
ltl often { [] <> (a == 0) || [] <> (b == 0) || <> [] (c != 77777777) }
