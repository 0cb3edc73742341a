/* A token goes round; the station that has it sends up to three frames, the others prepare some. */
#define N 30

bit token[N];

active [N] proctype Station()
{
	byte prepared;

	if
	:: d_step { _pid == 0 -> token[0] = 1 }
	:: _pid > 0
	fi;
	do
	:: prepared < 3 -> prepared++
	:: d_step { token[_pid] == 1 && prepared > 0 -> prepared-- }
	:: d_step { token[_pid] == 1 -> token[_pid] = 0; token[(_pid + 1) % N] = 1 }
	od
}
