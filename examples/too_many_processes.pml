/* A server that starts a process for every request, and none of them ever ends. */

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
