/* Nodes exchange sets of rumours, but an exchange copies in one direction only. */
#define N 5
byte knows[N]; byte calls;
active [N] proctype node() { byte o; knows[_pid] = knows[_pid] | (1 << _pid); do :: calls < 8 -> select(o : 0 .. N - 1); atomic { calls++; knows[o] = knows[o] | knows[_pid] } :: else -> break od; calls == 8; assert(_nr_pr > 0); if :: _pid == 0 -> assert(knows[0] == 31 || knows[1] != 31) :: else fi }
