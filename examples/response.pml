/* Every request is answered only if the server is scheduled: without a fairness assumption the
   client may execute forever alone. */

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
