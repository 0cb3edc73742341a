/* Lift: passengers below may wait forever when the lift prefers to go up. */
#define TOP 2

bool request[TOP + 1];
byte floor = 0;

active proctype lift()
{
	do
	:: request[floor] -> request[floor] = false
	:: !request[floor] && floor < TOP && (request[TOP] || (floor == 0 && request[1])) -> floor++
	:: !request[floor] && floor > 0 && !request[TOP] -> floor--
	od
}

active proctype people()
{
	byte f;
	do
	:: select(f : 0 .. TOP); request[f] = true
	od
}

ltl served { [] (request[1] -> <> (floor == 1)) }
