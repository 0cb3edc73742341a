/* Peterson's algorithm with the turn assigned before the flag. */
bool flag[2]; byte turn, critical;
active [2] proctype p() {
	do
	:: turn = 1 - _pid;
	   flag[_pid] = true;
	   (!flag[1 - _pid] || turn == _pid);
	   critical++; assert(critical == 1); critical--;
	   flag[_pid] = false
	od
}
