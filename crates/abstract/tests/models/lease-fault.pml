/* A holder that has renewed often is late: beyond some time, the clock does not wait for it. */
int clock, expiry, renewals; bit held;
active proctype Clock() { do :: clock < 2000000000 && (!held || clock < expiry || (renewals > 10000 && clock > 30000)) -> clock = clock + 1 od }
active proctype Holder() {
  do
  :: atomic { !held && clock < 1000000000 -> expiry = clock + 5; held = 1; renewals = renewals + 1 }
  :: atomic { held -> held = 0; expiry = 0 }
  od
}
active proctype Monitor() { end: do :: assert(!held || clock <= expiry) od }
