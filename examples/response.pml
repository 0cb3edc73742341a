/* Every request is answered only if the server gets its turn: without an assumption about the scheduler the
   client may go on for ever alone. */

bool asked, answered;

active proctype client()
{
	do
	:: asked = true; answered = false
	:: asked = false
	od
}

active proctype server()
{
	do
	:: answered = true
	od
}

ltl answer { [] (asked -> <> answered) }
