/* Letters are sorted into a box by urgency and removed by postmen who search for their own streets
 * first. Sorted sends, random and copying receives. */
#define ROOM 2
#define SENDERS 2
#define POSTMEN 2

chan box = [ROOM] of { byte, byte };
active [SENDERS] proctype Sender()
{
	byte urgency, street;

	do
	:: select (urgency : 0 .. 1);
	   select (street : 0 .. 2);
	   box!!urgency, street;
	   urgency = 0;
	   street = 0
	od
}

active [POSTMEN] proctype Postman()
{
	byte urgency, street;

	do
	:: box??urgency, eval(_pid - SENDERS) ->
		assert(urgency <= 2);
		urgency = 0
	:: box?<urgency, street> ->
		if
		:: street > 1 && box?[eval(urgency), eval(street)] -> box?urgency, street
		:: else
		fi;
		urgency = 0;
		street = 0
	od
}
