int a, b;
active proctype A() { do :: a++; progress: assert(a + b != 77777777) od }
active proctype B() { do :: b++; progress: b = b * 3 + a od }
