/* Time: the expansion of an atomic sequence with 2^40 paths and some hundred inner states did not terminate and ignored
   the time and memory limits. Paths that meet are now followed once if there are very many.
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
