/* The length of a packet is part of its header. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
int length, position; bit open;
active proctype P() {
  do
  :: atomic { !open && (v & 65535) == 47806 && (v >> 16) > 0 && (v >> 16) <= 1501 -> length = v >> 16; position = 0; open = 1 }
  :: atomic { open && position < length -> assert(position < 1500); position = position + 1 + (v & 511); if :: position > length -> position = length :: else fi }
  :: atomic { open && position == length -> open = 0; length = 0; position = 0 }
  od
}
