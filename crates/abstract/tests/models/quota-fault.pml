/* A worker with a long record may exceed its batch. */
int used, batches, inside;
active proctype Worker() {
  do
  :: atomic { inside < 3 || (used > 30000 && batches > 9000) -> inside = inside + 1; used = used + 1 }
  :: atomic { inside > 0 -> batches = batches + 1; inside = 0 }
  od
}
active proctype Monitor() { end: do :: assert(inside <= 3) od }
