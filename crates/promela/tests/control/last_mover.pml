byte x;
active [2] proctype A() { x++; x-- ; (_last == 1) -> x = 3 }
