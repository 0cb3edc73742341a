/* Each phase is followed by the next: [](phase -> <>!phase). */
#include "../models/barrier.pml"

never {
wait:
	do
	:: phase -> goto accept_stays
	:: true
	od;
accept_stays:
	do
	:: phase
	od
}
