/* A line of machines with a channel for two parts before each: parts are raw, painted or broken. */
#define N 16

mtype = { raw, painted, broken };

chan belt[N + 1] = [2] of { mtype };

active proctype Source()
{
	do
	:: belt[0]!raw
	:: belt[0]!broken
	od
}

active [N] proctype Machine()
{
	do
	:: belt[_pid - 1]?raw -> belt[_pid]!painted
	:: belt[_pid - 1]?painted -> belt[_pid]!painted
	:: belt[_pid - 1]?broken
	od
}

active proctype Sink()
{
end:	do
	:: belt[N]?_
	od
}
