/* The process with the infinite loop does not access x, but because of it x need never become 1. */
byte x, y;
active proctype P() { x = 1 }
active proctype Q() { do :: y = 1 - y od }
ltl comes { <> (x == 1) }
