/* A ring buffer with positions of 16 bits that wrap: its length is their difference. */
unsigned head : 16; unsigned tail : 16; byte buffer[4]; byte seen; unsigned length : 16;
active proctype Producer() { do :: d_step { ((head - tail) & 65535) < 5 -> buffer[head & 3] = head & 255; head = head + 1 } od }
active proctype Consumer() {
  do :: d_step { head != tail -> seen = buffer[tail & 3]; assert(seen == (tail & 255)); tail = tail + 1 } od
}
active proctype Monitor() { do :: assert(((head - tail) & 65535) <= 4) od }
