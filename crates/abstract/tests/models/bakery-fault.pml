/* An operator who enters the code clears a ticket, although its owner is inside. */
int a, b, code; byte inside;
active proctype A() { end: do :: atomic { b < 1000000000 -> a = b + 1 }; b == 0 || a < b; inside++; assert(inside == 1); inside--; a = 0 od }
active proctype B() { end: do :: atomic { a < 1000000000 -> b = a + 1 }; a == 0 || b < a; inside++; assert(inside == 1); inside--; b = 0 od }
active proctype Operator() {
  end: do
  :: code = 8 * code :: code = 8 * code + 1 :: code = 8 * code + 2 :: code = 8 * code + 3
  :: code = 8 * code + 4 :: code = 8 * code + 5 :: code = 8 * code + 6 :: code = 8 * code + 7
  :: code == 1414213562 -> a = 0
  od
}
