/* Replay: inside the sequence, paths meet so often that the interpreter follows each state once. The symbolic search
   numbered the successors by paths, so its counterexample did not replay.
   expected: 257 states, 513 transitions, EndlessSequence, InvalidEnd */
byte x;
bit u;
active proctype A() {
  atomic {
    do
    :: u -> false
    :: x++
    :: u = 1
    od
  }
}
