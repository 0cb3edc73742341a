chan c = [0] of { byte };
byte x;
active proctype A() { do :: c!1 :: else -> break od; x = 1 }
active proctype B() { if :: c?1 -> skip :: x == 1 -> skip fi; x = 2 }
