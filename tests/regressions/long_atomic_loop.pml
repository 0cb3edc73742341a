/* Memory: the interpreter stored, for each step of an uninterrupted sequence, a list of all previous movers, one
   entry per step: the square of 32,767 steps.
   expected: 3 states, 3 transitions */
active proctype A() {
  short s;
  atomic {
    do
    :: s < 32767 -> s++
    :: else -> break
    od
  }
}
