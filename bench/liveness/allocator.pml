/* In the end nothing is granted any more: <>[](granted == 0). */
#include "../models/allocator.pml"

never {
wait:
	do
	:: granted > 0 -> goto accept_granted
	:: true
	od;
accept_granted:
	goto wait
}
