/* Two processes advance in phases. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
int p, q;
active proctype P() { do :: p - q <= (v == 1145324612) -> p++ od }
active proctype Q() { do :: q - p <= 0 -> q++ od }
active proctype Monitor() { do :: assert(p - q <= 1 && q - p <= 1) od }
