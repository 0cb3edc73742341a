/* A temporal property without counterexample in the part that can be searched. */
int a, b, c;
active proctype A() { do :: a++ :: a-- od }
active proctype B() { do :: b = a :: b++ od }
active proctype C() { do :: c != b -> c = b :: c++ od }
ltl never_so { <> [] (a != 1000000000 || b != 999999999 || c != 77777777) || [] <> (b == 7) || [] <> (b != 7) }
