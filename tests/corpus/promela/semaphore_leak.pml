/* A counting semaphore; on the error path the permit is not given back. */
#define PERMITS 2
#define USERS   3

mtype = { down, up };

chan sem = [0] of { mtype };

active proctype semaphore()
{
	byte count = PERMITS;

end:	do
	:: (count == 0) -> sem?up; count++
	:: (count > 0) ->
end_avail:	if
		:: sem?down -> count--
		:: sem?up -> count++
		fi;
		assert(count <= PERMITS)
	od
}

active [USERS] proctype user()
{
	byte n = 0;

	do
	:: n < 2 ->
		sem!down;
		n++;
		/* use the resource */
		if
		:: true -> sem!up
		:: true -> printf("MSC: error, retry\n")
		fi
	:: else -> break
	od
}
