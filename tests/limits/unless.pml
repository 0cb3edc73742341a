int a, b;
bool stop;
active proctype A() { do :: { do :: a++ :: a = b :: assert(a != 1000000007) od } unless { stop -> stop = false } od }
active proctype B() { do :: b++ :: stop = true :: b = a * 3 od }
