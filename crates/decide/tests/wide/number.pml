/* Decimal digits become a number. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
int n, next;
active proctype P() {
  do
  :: atomic { (v & 15) < 10 && n <= 214748363 -> next = n * 10 + (v & 15); assert(next >= n); n = next; next = 0 }
  :: n > 0 -> n = 0
  od
}
