/* A writer that has waited long enters with readers. */
byte readers; bit writing; int visits, writes;
active [2] proctype Reader() {
  do :: atomic { !writing -> readers++ }; assert(!writing); visits = visits + 1; readers-- od
}
active proctype Writer() { do :: atomic { !writing && (readers == 0 || (visits > 30000 && writes > 9000)) -> writing = 1 }; assert(readers == 0); writes = writes + 1; writing = 0 od }
