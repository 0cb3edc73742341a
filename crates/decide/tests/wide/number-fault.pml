/* Decimal digits become a number. */
int v;
active proctype Input() { do :: v = v + v :: v = v + v + 1 od }
int n, next; byte d;
active proctype P() {
  do
  :: d_step { d = v & 15; d < 10 && n <= 429496729 -> next = n * 10 + d; assert(next >= n); n = next; next = 0; d = 0 }
  :: n > 0 -> n = 0
  od
}
