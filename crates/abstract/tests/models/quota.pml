/* Every batch uses at most 10 units; the counters of used units and batches grow. */
int used, batches, inside;
active proctype Worker() {
  do
  :: inside < 10 -> atomic { inside = inside + 1; used = used + 1 }
  :: inside > 0 -> atomic { batches = batches + 1; inside = 0 }
  od
}
active proctype Monitor() { end: do :: assert(inside <= 10) od }
