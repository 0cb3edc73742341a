/* All steps of the loop are local: merging all of them would make the sequence endless. */
bool done;
active proctype P()
{
	byte i;
	do
	:: i++
	:: i++; i++
	od
}
active proctype Q() { done = true }
ltl ends { <> done }
ltl never_ends { [] !done }
