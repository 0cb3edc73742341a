/* A timer is set 100 ticks ahead whenever it expires; both counters wrap. */
int now, deadline = 96;
byte late;
active proctype Clock() {
  do
  :: deadline - now > 0 -> now++
  :: deadline - now == 0 -> deadline = now + 100
  :: deadline - now < 101 && now % 8 == 3 -> deadline = deadline + 1
  od
}
active proctype Monitor() { do :: assert(deadline - now >= 0 && deadline - now <= 100) od }
