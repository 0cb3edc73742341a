/* The same, where the process is created. */
byte x, y;
proctype Q() { do :: y = 1 - y od }
proctype Once() { y = 1 }
init { run Once(); run Q(); x = 1 }
active proctype P() { (x == 1); x = 2 }
ltl comes { <> (x == 2) }
