/* Beyond a bound, the receiver forgets to advance its clock for an equal stamp. */
chan c = [1] of { int };
int sent, here, stamp;
active proctype Sender() { end: do :: atomic { sent < 1000000000 -> sent = sent + 1 } :: atomic { nfull(c) && sent < 1000000000 -> sent = sent + 1; c ! sent } od }
active proctype Receiver() {
  end: do
  :: atomic { here < 2000000000 -> here = here + 1 }
  :: atomic { c ? stamp; if :: stamp > here -> here = stamp + 1 :: stamp == here && here > 20000 -> skip :: else -> here = here + 1 fi; assert(here > stamp); stamp = 0 }
  od
}
