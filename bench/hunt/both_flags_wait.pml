/* Both processes raise their flags and wait for the other one: every process is blocked. */
bool want[2]; byte work;
active [2] proctype p() {
	do
	:: want[_pid] = true; (!want[1 - _pid]); work = (work + 1) % 9; want[_pid] = false
	od
}
