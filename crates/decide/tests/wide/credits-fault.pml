/* Credits are taken, used and returned; their sum stays the same. */
int credit = 100, flying, total;
active [2] proctype Client() {
  int own;
  do
  :: atomic { credit >= 7 -> credit = credit - 7; own = 7; flying = flying + 7 };
     total++;
     atomic { credit = credit + own + (total == 1); flying = flying - own; own = 0 }
  od
}
active proctype Monitor() { do :: assert(credit + flying == 100) od }
