/* A number is passed around a ring by rendezvous until it has reached zero. */
#define N 5
chan ring[N] = [0] of { byte };

active [N] proctype Node()
{
	byte n;

	if
	:: _pid == 0 -> ring[1]!20
	:: else
	fi;
end:	do
	:: ring[_pid]?n ->
		if
		:: n > 0 -> ring[(_pid + 1) % N]!n - 1
		:: else -> assert(n == 0)
		fi;
		n = 0
	od
}
