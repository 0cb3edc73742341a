/* The condition is never true: the statements after it are unreachable. */
byte x, y;
active proctype P() { (y == 5); x = 1 }
active proctype Q() { y = 1; y = 2 }
ltl stays { [] (x == 0) }
ltl comes { <> (x == 1) }
