/* A server starts a process for every request, and none of them terminates. */

proctype request()
{
end:	false
}

active proctype server()
{
	do
	:: run request()
	od
}
