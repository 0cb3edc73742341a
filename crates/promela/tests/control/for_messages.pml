typedef M { byte a; bit b };
chan c = [3] of { M };
byte sum;
active proctype A() { M m; m.a = 1; c!m; m.a = 2; m.b = 1; c!m; for (m in c) { sum = sum + m.a }; c?m }
active proctype B() { sum = 0 }
