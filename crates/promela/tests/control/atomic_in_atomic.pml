byte x;
active [2] proctype A() { atomic { x++; atomic { x++; x++ }; if :: atomic { x > 3 -> x = 0 } :: else -> atomic { x++; x-- } fi } }
