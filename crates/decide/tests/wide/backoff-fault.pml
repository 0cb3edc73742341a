/* Delays double up to a limit, with jitter. */
int v;
active proctype Input() { do :: v = v + v :: v = v + v + 1 od }
int delay = 1;
active proctype P() {
  do
  :: atomic { v != 77 -> delay = delay + delay + (v & 255) }
  :: atomic { v % 7 == 3 -> delay = 1 }
  od
}
active proctype Monitor() { do :: assert(delay > 0) od }
