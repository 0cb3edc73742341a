/* Units of 3600 with a remainder. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
int acc, units, total;
active proctype P() {
  do
  :: d_step { acc < 3600 -> acc = acc + (v & 1023); total = total + (v & 1023) }
  :: d_step { acc >= 3600 -> acc = acc - 3600; units = units + 1 }
  od
}
active proctype Monitor() { do :: assert(total - 3600 * units == acc && acc >= 0 && acc < 4623) od }
