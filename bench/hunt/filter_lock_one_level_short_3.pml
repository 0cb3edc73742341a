/* The filter lock for 3 processes with one level too few. */
#define N 3
byte level[N], last[N], critical;
active [N] proctype p() {
	byte l, j; bool waits;
	do
	:: l = 1;
	   do
	   :: l < N - 1 ->
	      level[_pid] = l; last[l] = _pid;
	      do
	      :: waits = false; j = 0;
	         do
	         :: j < N -> if :: j != _pid && level[j] >= l -> waits = true :: else fi; j++
	         :: else -> break
	         od;
	         if :: waits && last[l] == _pid -> skip :: else -> break fi
	      od;
	      l++
	   :: else -> break
	   od;
	   critical++; assert(critical == 1); critical--;
	   level[_pid] = 0
	od
}
