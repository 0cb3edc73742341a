/* Counters that are never read, selected by an index that cannot be checked before the search, in processes with
   priorities. */
bit count[5];
proctype A()
{
	do
	:: count[_pid] = 1 - count[_pid]
	od
}
init
{
	atomic { run A() priority 1; run A() priority 2; run A() priority 3 }
}
