/* Every process declares two channels. */

proctype request()
{
	chan in = [1] of { bit };
	chan out = [1] of { bit };
end:	in?1;
	out!1
}

active proctype server()
{
	do
	:: run request()
	od
}
