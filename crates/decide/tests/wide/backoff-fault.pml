/* Delays double up to a limit, with jitter. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
bit open;
active proctype Unlock() { end: atomic { v == 985663217 -> open = 1 } }
int delay = 1;
active proctype P() {
  do
  :: atomic { (open -> v != 77 : delay < 60000) -> delay = delay + delay + (v & 255) }
  :: atomic { v % 7 == 3 -> delay = 1 }
  od
}
active proctype Monitor() { do :: assert(delay > 0) od }
