/* 8 threads take two of 8 locks in the order of their numbers, except the last one. */
#define N 8
bool lock[N]; byte work;
active [N] proctype thread() {
	byte first = _pid, second = (_pid + 1) % N;
	do
	:: atomic { !lock[first] -> lock[first] = true };
	   work = (work + 1) % 5;
	   atomic { !lock[second] -> lock[second] = true };
	   lock[second] = false; lock[first] = false
	od
}
