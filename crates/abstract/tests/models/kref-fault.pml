/* A user takes a reference although there may be none left. */
int refs = 1, uses; bit freed;
active [2] proctype User() {
  end: do
  :: refs >= 0 && refs < 1000000 -> refs = refs + 1;
     assert(!freed); uses = uses + 1;
     atomic { refs = refs - 1; if :: refs == 0 -> freed = 1 :: else fi }
  od
}
active proctype Owner() { atomic { refs = refs - 1; if :: refs == 0 -> freed = 1 :: else fi } }
