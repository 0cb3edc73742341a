byte x, stop;
active proctype A() { { { do :: x < 3 -> x++ :: x == 3 -> x = 0 od } unless { stop == 1 -> x = 7; x = 8 } } unless { stop == 2 -> x = 9 }; x = 1 }
active proctype B() { if :: stop = 1 :: stop = 2 :: skip fi; if :: stop = 2 :: skip fi }
