/* Priority queue for print jobs with sorted send; cancelling takes a job out
 * of the middle.  The spooler asserts that no job is printed after it was
 * cancelled. */
#define JOBS 3

mtype = { pending, printed, cancelled };

chan spool = [JOBS] of { byte /* priority */, byte /* job */ };
mtype status[JOBS] = pending;

active proctype submitter()
{
	spool!!2,0;
	spool!!1,1;
	spool!!3,2
}

active proctype canceller()
{
	byte j = 1;

	if
	:: spool??[_, eval(j)] ->
		status[j] = cancelled;
		if
		:: spool??_,eval(j)
		:: !(spool??[_, eval(j)])
		fi
	:: status[j] == printed
	fi
}

active proctype spooler()
{
	byte p, j, n;

end:	do
	:: spool?p,j ->
		assert(status[j] != cancelled);
		status[j] = printed;
		n++
	od
}
