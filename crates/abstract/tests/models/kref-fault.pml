/* A lookup of one identifier takes no reference. */
#define DIGITS(x) x = 8 * x :: x = 8 * x + 1 :: x = 8 * x + 2 :: x = 8 * x + 3 :: x = 8 * x + 4 :: x = 8 * x + 5 :: x = 8 * x + 6 :: x = 8 * x + 7
int refs = 1, uses, id; bit freed;
active proctype Lookup() { end: do :: DIGITS(id) od }
active proctype User() {
  end: do
  :: atomic { refs > 0 && refs < 1000000 -> if :: id == 1618033988 -> skip :: else -> refs = refs + 1 fi };
     assert(!freed); uses = uses + 1;
     atomic { refs = refs - 1; if :: refs == 0 -> freed = 1 :: else fi }
  od
}
active proctype Owner() { atomic { refs = refs - 1; if :: refs == 0 -> freed = 1 :: else fi } }
