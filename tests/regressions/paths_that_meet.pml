/* Time: an atomic sequence with 2^40 paths and some hundred states inside never ended its one expansion, and kept neither
   the time limit nor the one on memory. Paths that meet are followed once where there are very many.
   expected: 4 states, 5 transitions */
active proctype A() {
  byte i;
  bit x;
  atomic {
    do
    :: i < 40 -> if :: x = 0 :: x = 1 fi; i++
    :: else -> break
    od
  }
}
