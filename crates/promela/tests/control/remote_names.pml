byte x;
active [2] proctype A() { byte v; v = _pid + 1; here: v++; x++ }
active proctype B() { A[1]@here -> x = 5; (A[0]:v == 2 || A@here) -> x = 9 }
