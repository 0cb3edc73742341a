/* All steps of the loop are private: were all of them merged, the sequence would be endless. */
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
