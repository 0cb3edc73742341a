/* Delays double up to a limit, with jitter. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
int delay = 1;
active proctype P() {
  do
  :: atomic { delay < 60000 -> delay = delay + delay + (v & 255) }
  :: atomic { v % 7 == 3 -> delay = 1 }
  od
}
active proctype Monitor() { do :: assert(delay > 0) od }
