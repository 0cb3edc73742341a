/* A formula that holds vacuously: there is never a request. */

bool request, grant;

active proctype server()
{
	do
	:: request -> grant = true; request = false
	:: !request -> grant = false
	od
}

ltl served { [] (request -> <> grant) }
