#define N 4
#define next(i) ((i + 1) % N)

/* Token ring with stations which may or may not want to transmit. */

chan ring[N] = [1] of { bit };
show byte users;

active [N] proctype station()
{
	byte frames = 0;

	if
	:: _pid == 0 -> ring[0]!1
	:: else
	fi;

	do
	:: ring[_pid]?1 ->
		if
		:: frames < 2 ->
			users++;
			assert(users == 1);
			frames++;
			users--
		:: true
		fi;
progress_pass:	ring[next(_pid)]!1
	od
}
