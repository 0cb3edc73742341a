chan c = [1] of { byte }; chan r = [0] of { byte };
byte x;
active proctype A() { { do :: x = 1 - x od } unless { c?2 }; { x = 5; x = 6 } unless { r?1 -> x = 7 } }
active proctype B() { c!2; r!1 }
