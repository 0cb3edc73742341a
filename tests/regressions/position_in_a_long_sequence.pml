/* Replay: inside the sequence, paths meet so often that the interpreter follows each state once. The symbolic search
   numbered the successors by paths, so its counterexample did not replay.
   expected: 65 states, 95 transitions, InvalidEnd */
active proctype A() {
  byte i, ones;
  bit x;
  atomic {
    do
    :: i < 16 ->
       if
       :: x = 0
       :: x = 1; ones++
       fi;
       i++
    :: else -> break
    od
  };
  ones < 16
}
