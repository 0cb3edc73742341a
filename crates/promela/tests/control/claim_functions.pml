byte x;
active proctype A() { x = 1; x = 2 }
active proctype B() { (pc_value(0) == 2) -> x = 5; enabled(0) -> x = 6 }
