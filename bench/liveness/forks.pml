/* A philosopher eats infinitely often: []<>(eating > 0). */
#include "../models/forks.pml"

never {
wait:
	do
	:: !(eating > 0) -> goto accept_never
	:: true
	od;
accept_never:
	do
	:: !(eating > 0)
	od
}
