/* On a long day, the returned amount is read in one step and cleared in another. */
chan wire = [2] of { int };
int a = 500, b, amount, got, transit, transfers, returns;
active proctype Send() {
  end: do
  :: atomic { a >= 20 && nfull(wire) -> a = a - 20; transit = transit + 20; wire ! 20; transfers = transfers + 1 }
  od
}
active proctype Receive() { end: do :: atomic { wire ? got -> transit = transit - got; b = b + got; got = 0 } od }
active proctype Back() {
  end: do
  :: atomic { b > 0 -> a = a + b; b = 0; returns = returns + 1 }
  :: transfers > 9000 && returns > 6000 -> amount = b; atomic { a = a + amount; b = 0; amount = 0 }
  od
}
active proctype Monitor() { end: do :: assert(a + b + transit == 500) od }
