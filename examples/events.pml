/* Requests and replies must alternate; the client may send two requests. */

chan request = [2] of { byte };
chan reply = [2] of { byte };

active proctype client()
{
	byte answer;
	do
	:: request!1
	:: reply?answer
	od
}

active proctype server()
{
	byte question;
	do
	:: request?question -> reply!question
	od
}

trace
{
	do
	:: request!_ -> reply!_
	od
}
