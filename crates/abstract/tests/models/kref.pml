/* Reference counts of an object: it is freed by the last reference, and used only while it has one. */
int refs = 1, uses; bit freed;
active [2] proctype User() {
  end: do
  :: atomic { refs > 0 && refs < 1000000 -> refs = refs + 1 };
     assert(!freed); uses = uses + 1;
     atomic { refs = refs - 1; if :: refs == 0 -> freed = 1 :: else fi }
  od
}
active proctype Owner() { atomic { refs = refs - 1; if :: refs == 0 -> freed = 1 :: else fi } }
