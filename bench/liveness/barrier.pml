/* After each phase comes the next: [](phase -> <>!phase). */
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
