/* Three counters that are only incremented together. */
#define MAX 14
byte c[3];

active [3] proctype Counter()
{
end:	do
	:: c[_pid] < MAX && c[_pid] <= c[(_pid + 1) % 3] + 9 -> c[_pid]++; assert(c[_pid] <= MAX)
	od
}
