/* Readers and writers with preference for writers: no reader begins while a writer waits. A waiting writer
 * writes: [](waiting > 0 -> <>(writing == 1)). */
#define READERS 6
#define WRITERS 4

byte reading, writing, waiting;

active [READERS] proctype Reader()
{
	byte page;

	do
	:: atomic { writing == 0 && waiting == 0 -> reading++ };
	   assert(writing == 0);
	   if
	   :: page = 1
	   :: page = 2
	   fi;
	   page = 0;
	   reading--
	od
}

active [WRITERS] proctype Writer()
{
	byte line;

	do
	:: waiting++;
	   atomic { reading == 0 && writing == 0 -> writing++; waiting-- };
	   assert(reading == 0 && writing == 1);
	   do
	   :: line < 2 -> line++
	   :: line > 0 -> break
	   od;
	   line = 0;
	   writing--
	od
}

never {
start:
	do
	:: waiting > 0 && !(writing == 1) -> goto accept_waits
	:: true
	od;
accept_waits:
	do
	:: !(writing == 1)
	od
}
