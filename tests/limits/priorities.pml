int a, b, c;
proctype A() { do :: a++ :: set_priority(_pid, 1 + a % 5) od }
proctype B() { do :: b++ :: b = a :: set_priority(_pid, 1 + b % 5) od }
init { atomic { run A() priority 3; run B() priority 4; run A() priority 2 }; do :: c++; assert(a + b + c != 77777777) od }
