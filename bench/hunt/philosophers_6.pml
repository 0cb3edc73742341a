/* 6 dining philosophers who all take the left fork first. */
#define N 6
bool fork[N];
active [N] proctype philosopher() {
	do
	:: atomic { !fork[_pid] -> fork[_pid] = true };
	   atomic { !fork[(_pid + 1) % N] -> fork[(_pid + 1) % N] = true };
	   fork[_pid] = false; fork[(_pid + 1) % N] = false
	od
}
