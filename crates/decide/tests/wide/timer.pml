/* A timer is set 100 ticks ahead whenever it expires; both counters wrap. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
int now, deadline = 100;
active proctype Clock() {
  do
  :: deadline - now > 0 -> now++
  :: deadline - now == 0 -> deadline = now + 100
  :: deadline - now < 100 && now % 8 == 3 -> deadline = deadline + 1
  od
}
active proctype Monitor() { do :: assert(deadline - now >= 0 && deadline - now <= 100) od }
