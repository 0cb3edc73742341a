/* A slice of a buffer of 4096 bytes. */
int v;
active proctype Input() { do :: v = v + v :: v = v + v + 1 od }
int offset, size;
active proctype P() {
  do
  :: v >= 0 -> offset = v
  :: v >= 0 -> size = v
  :: d_step { offset >= 0 && size >= 0 && offset + size <= 4096 -> assert(offset <= 4096 && size <= 4096) }
  od
}
