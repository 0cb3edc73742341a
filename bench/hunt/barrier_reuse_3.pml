/* A counting barrier for 3 threads that is not safe for reuse: a fast thread enters the next phase. */
#define N 3
byte count; byte phase[N];
active [N] proctype thread() {
	byte j;
	do
	:: phase[_pid] < 3 ->
	   count++;
	   (count >= N || count == 0);
	   if :: count >= N -> count = 0 :: else fi;
	   phase[_pid]++;
	   j = 0;
	   do
	   :: j < N -> assert(phase[j] + 1 >= phase[_pid]); j++
	   :: else -> break
	   od
	:: else -> break
	od
}
