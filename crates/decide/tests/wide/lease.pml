/* A lease of 30,000 ticks; the clock wraps. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
int now, expiry; bit held;
active proctype Clock() { do :: atomic { (!held || expiry - now > 1023) -> now = now + (v & 1023) } od }
active proctype Holder() {
  do
  :: atomic { now = now + 0; expiry = now + 30000; held = 1 }
  :: atomic { held && expiry - now < 20000 -> held = 0 }
  od
}
active proctype Monitor() { do :: assert(!held || (expiry - now > 0 && expiry - now <= 30000)) od }
