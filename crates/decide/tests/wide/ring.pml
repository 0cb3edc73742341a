/* A ring buffer with positions of 32 bits that wrap: its length is their difference. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
int head, tail; byte buffer[4]; byte seen;
active proctype Producer() { do :: d_step { head - tail < 4 -> buffer[head & 3] = head & 255; head = head + 1 } od }
active proctype Consumer() {
  do :: d_step { head != tail -> seen = buffer[tail & 3]; assert(seen == (tail & 255)); seen = 0; tail = tail + 1 } od
}
active proctype Monitor() { do :: assert(head - tail <= 4) od }
