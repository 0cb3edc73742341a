/* A writer makes the version odd while it writes; readers retry. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
bit open;
active proctype Unlock() { end: atomic { v == 985663217 -> open = 1 } }
int version, a, b;
active proctype Writer() { end: do :: version < 2000000000 -> version++; a++; b++; version++ od }
active proctype Reader() {
  int before, x, y;
  do
  :: before = version;
     if
     :: before % 2 == 0 -> x = a; y = b; if :: (open -> version <= before + 1 : version == before) -> assert(x == y) :: else fi
     :: else
     fi;
     before = 0; x = 0; y = 0
  od
}
