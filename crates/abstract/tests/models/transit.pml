/* Transfers between two accounts by messages: the sum includes what is in transit. */
chan wire = [2] of { int };
int a = 500, b, amount, got, transit;
active proctype Send() {
  end: do
  :: atomic { a >= 20 && nfull(wire) -> a = a - 20; transit = transit + 20; wire ! 20 }
  :: atomic { a >= 50 && nfull(wire) -> a = a - 50; transit = transit + 50; wire ! 50 }
  od
}
active proctype Receive() { end: do :: atomic { wire ? got -> transit = transit - got; b = b + got; got = 0 } od }
active proctype Back() { end: do :: atomic { b > 0 -> amount = b; b = 0; a = a + amount; amount = 0 } od }
active proctype Monitor() { end: do :: assert(a + b + transit == 500) od }
