/* A timer is set 100 ticks ahead whenever it expires; both counters wrap. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
bit open;
active proctype Unlock() { end: atomic { v == 985663217 -> open = 1 } }
int now, deadline = 100;
active proctype Clock() {
  do
  :: deadline - now > 0 -> now++
  :: deadline - now == 0 -> deadline = now + 100
  :: deadline - now < (open -> 101 : 100) && now % 8 == 3 -> deadline = deadline + 1
  od
}
active proctype Monitor() { do :: assert(deadline - now >= 0 && deadline - now <= 100) od }
