/* The process that goes round for ever has nothing to do with x, but with it x need never be 1. */
byte x, y;
active proctype P() { x = 1 }
active proctype Q() { do :: y = 1 - y od }
ltl comes { <> (x == 1) }
