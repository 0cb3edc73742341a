/* From some point on, nothing is granted: <>[](granted == 0). */
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
