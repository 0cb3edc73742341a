/* Readers-writers with preference for readers, liveness of the writer under
 * the usual assumption that each process gets its turn is not given. */

#define R 2

byte readers;
bool writing;
bool wants_to_write;

active [R] proctype reader()
{
	do
	:: atomic { !writing -> readers++ };
progress_r:
	   skip;
	   readers--
	od
}

active proctype writer()
{
	do
	:: wants_to_write = true;
	   atomic { readers == 0 && !writing -> writing = true };
	   wants_to_write = false;
	   writing = false
	od
}

ltl eventually { [] (wants_to_write -> <> writing) }
