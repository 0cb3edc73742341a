/* Statistics of the scheduler change its policy: a process that gives up its slice passes on the rest of it. */
int left = 20, clock, switches; byte current;
active proctype Tick() { end: do :: atomic { left > 0 -> left = left - 1; clock = clock + 1 } od }
active proctype Switch() {
  end: do
  :: atomic { left == 0 -> current = 1 - current; left = 20; switches = switches + 1 }
  :: atomic { left > 0 -> current = 1 - current; switches = switches + 1; if :: switches > 12000 && clock > 25000 -> left = left + 20 :: else -> left = 20 fi }
  od
}
active proctype Monitor() { end: do :: assert(left >= 0 && left <= 20 && current <= 1) od }
