/* The token is held infinitely often: []<>(holder == 1). */
#include "../models/token_ring.pml"

never {
wait:
	do
	:: !(holder == 1) -> goto accept_never
	:: true
	od;
accept_never:
	do
	:: !(holder == 1)
	od
}
