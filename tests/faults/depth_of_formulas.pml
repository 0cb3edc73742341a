/* both formulas are violated after 10 to 20 steps: a depth limit below that leaves them undecided */
byte a;
active proctype P() { do :: a < 20 -> a++ :: a == 20 -> break od }
ltl safety { [] (a < 10) }
ltl liveness { [] <> (a < 20) }
