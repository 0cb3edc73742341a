/* 2 readers and two writers; a reader checks and counts in two steps. */
byte readers; bool writing;
active [2] proctype reader() {
	do
	:: (!writing); readers++; assert(!writing); readers--
	od
}
active [2] proctype writer() {
	do
	:: atomic { readers == 0 && !writing -> writing = true }; writing = false
	od
}
