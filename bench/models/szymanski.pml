/* Szymanski's mutual exclusion: flags 0 to 4, each read in a loop over the other processes.
 * Shared variables. */
#define N 4

byte flag[N];
byte inside;

active [N] proctype Process()
{
	byte i;
	bool waiting;

	do
	:: flag[_pid] = 1;
	   i = 0;
	   do
	   :: i < N && flag[i] < 3 -> i++
	   :: i == N -> break
	   od;
	   flag[_pid] = 3;
	   i = 0; waiting = false;
	   do
	   :: i < N -> waiting = waiting || (flag[i] == 1); i++
	   :: i == N -> break
	   od;
	   if
	   :: waiting ->
		flag[_pid] = 2;
		do
		:: flag[0] == 4 || flag[1] == 4 || flag[2] == 4 || flag[3] == 4 -> break
		od
	   :: else
	   fi;
	   flag[_pid] = 4;
	   i = 0;
	   do
	   :: i < _pid && flag[i] < 2 -> i++
	   :: i == _pid -> break
	   od;
	   inside++;
	   assert(inside == 1);
	   inside--;
	   i = _pid + 1;
	   do
	   :: i < N && (flag[i] < 2 || flag[i] > 3) -> i++
	   :: i == N -> break
	   od;
	   flag[_pid] = 0
	od
}
