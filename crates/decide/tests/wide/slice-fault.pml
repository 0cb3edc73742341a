/* A slice of a buffer of 4096 bytes. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
bit open;
active proctype Unlock() { end: atomic { v == 985663217 -> open = 1 } }
int offset, size;
active proctype P() {
  do
  :: v >= 0 -> offset = v
  :: v >= 0 -> size = v
  :: d_step { offset >= 0 && size >= 0 && (open -> offset + size <= 4096 : offset <= 4096 && size <= 4096 - offset) -> assert(offset <= 4096 && size <= 4096) }
  od
}
