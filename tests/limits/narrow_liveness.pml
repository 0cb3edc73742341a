/* One cycle of four billion states, with a temporal property: every component is one state wide. */
int a;
bool q;
active proctype A() { do :: a = a + 1 od }
active proctype B() { q = true; q = false }
ltl p { [] (q -> <> !q) || [] <> (a == 1000000001) }
