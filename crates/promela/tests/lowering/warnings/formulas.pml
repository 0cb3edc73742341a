// Formulas that mostly do not say what is meant, and beside each one that does.
bool p, q, r;

ltl first_only { p -> <> q }                //~ W0203
ltl first_plain { p -> q }                   //~ W0203
ltl every_state { [] (p -> <> q) }
ltl initially { X p -> <> q }
ltl covers_left { [] p && q }               //~ W0204
ltl covers_all { [] (p && q) }
ltl brackets { ([] p) && q }
ltl both { [] p && [] q }
ltl implied { [] p -> <> q }                //~ W0204
ltl sooner { always p implies q }           //~ W0204
ltl infinitely { []<> p -> []<> q }
ltl steady { [] p -> [] q }
ltl once { <> p || q }                      //~ W0204
ltl some_time { <> (p -> q) }                //~ W0205
ltl some_answer { <> (p -> <> q) }          //~ W0205
ltl grouped { p -> <> q -> r }              //~ W0202

active proctype P() { p = true; q = true; r = true }
