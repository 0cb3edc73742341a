/* A formula that holds for an empty reason: nothing is ever requested. */

bool request, grant;

active proctype server()
{
	do
	:: request -> grant = true; request = false
	:: !request -> grant = false
	od
}

ltl served { [] (request -> <> grant) }
