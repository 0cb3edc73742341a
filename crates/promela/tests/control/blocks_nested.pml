byte x;
active [2] proctype A() { { x++; { x++; { if :: { x > 2 -> x = 0 } :: { { skip; x++ } } fi } } } }
