chan c = [2] of { byte, byte };
byte x;
active proctype S() { c!1,2; c!2,3; c!1,4 }
active proctype R() { byte a; do :: d_step { c?1,a -> x = a } :: d_step { c??2,a -> x = x + a } :: x > 5 -> break od }
