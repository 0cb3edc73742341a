byte x; chan c = [1] of { byte };
active proctype A() { do :: c?x :: timeout -> break od; if :: x == 2 && timeout -> x = 3 :: x == 9 fi }
active proctype B() { c!1; c!2; (x == 3) }
