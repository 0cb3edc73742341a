/* Write-invalidate caches: one line each, modified in at most one of them; a snooping bus. */
#define N 30

mtype = { invalid, shared, modified };

byte owner;
mtype line[N] = invalid;
byte sharers;

active [N] proctype Cache()
{
	bit wants;

	do
	:: wants == 0 -> wants = 1
	:: d_step { wants == 1 && line[_pid] == invalid && owner == 0 -> line[_pid] = shared; sharers++; wants = 0 }
	:: d_step { wants == 1 && line[_pid] == shared && sharers == 1 ->
	            line[_pid] = modified; owner = _pid + 1; sharers = 0; wants = 0 }
	:: d_step { wants == 1 && line[_pid] == modified -> line[_pid] = shared; owner = 0; sharers = 1; wants = 0 }
	:: d_step { wants == 0 && line[_pid] == shared -> line[_pid] = invalid; sharers-- }
	:: d_step { wants == 0 && line[_pid] == modified -> line[_pid] = invalid; owner = 0 }
	od
}
