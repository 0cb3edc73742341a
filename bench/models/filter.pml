/* The filter lock: N - 1 levels, each of which holds back one process.
 * Shared variables; the guards read whole arrays. */
#define N 4

byte level[N];
byte last[N];
byte inside;

active [N] proctype Process()
{
	byte room, other;

	do
	:: for (room : 1 .. N - 1) {
		level[_pid] = room;
		last[room] = _pid;
		other = 0;
		do
		:: other == N -> break
		:: other < N && (other == _pid || level[other] < room || last[room] != _pid) -> other++
		od
	   }
	   inside++;
	   assert(inside == 1);
	   inside--;
	   level[_pid] = 0
	od
}
