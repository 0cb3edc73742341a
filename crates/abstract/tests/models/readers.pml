/* A lock for readers and one writer; visits are counted without end. */
byte readers; bit writing; int visits;
active [2] proctype Reader() {
  do :: atomic { !writing -> readers++ }; assert(!writing); visits = visits + 1; readers-- od
}
active proctype Writer() { do :: atomic { !writing && readers == 0 -> writing = 1 }; assert(readers == 0); writing = 0 od }
