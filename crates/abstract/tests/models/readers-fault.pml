/* The writer tests for readers and enters in two steps. */
byte readers; bit writing; int visits;
active [2] proctype Reader() {
  do :: atomic { !writing -> readers++ }; visits = visits + 1; readers-- od
}
active proctype Writer() { do :: readers == 0; writing = 1; assert(readers == 0); writing = 0 od }
