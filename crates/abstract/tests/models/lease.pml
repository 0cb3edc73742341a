/* A lease is valid until an expiry in the future of the clock; the holder renews it in time. */
int clock, expiry; bit held;
active proctype Clock() { do :: clock < 2000000000 && (!held || clock < expiry) -> clock = clock + 1 od }
active proctype Holder() {
  do
  :: atomic { !held && clock < 1000000000 -> expiry = clock + 50; held = 1 }
  :: atomic { held -> held = 0; expiry = 0 }
  od
}
active proctype Monitor() { end: do :: assert(!held || clock <= expiry) od }
