/* A process is in its critical section infinitely often: []<>(inside == 1). */
#include "../models/tournament.pml"

never {
wait:
	do
	:: !(inside == 1) -> goto accept_never
	:: true
	od;
accept_never:
	do
	:: !(inside == 1)
	od
}
