/* Readers share access, a writer has exclusive access. */
#define READERS 4
byte reading;
bool writing;

active [READERS] proctype Reader()
{
	do
	:: atomic { !writing -> reading++ };
	   assert(!writing);
	   reading--
	od
}

active [2] proctype Writer()
{
	do
	:: atomic { !writing && reading == 0 -> writing = true };
	   assert(reading == 0);
	   writing = false
	od
}
