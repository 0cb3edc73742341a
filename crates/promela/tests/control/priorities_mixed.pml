byte x;
active proctype A() priority 2 { x++; x == 3; x++ }
active proctype B() priority 5 { x++; x == 2 -> x++; atomic { x == 4 -> x++; x++ } }
active proctype C() { x++ ; set_priority(0, 7); x++ }
