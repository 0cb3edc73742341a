/* Memory: the interpreter kept, for each step of an uninterrupted sequence, the list of all who had moved so far, once for
   each step that they had made: the square of 32,767 steps.
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
