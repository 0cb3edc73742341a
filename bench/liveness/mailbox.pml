/* The box is nonempty infinitely often: []<>(len(box) > 0). */
#include "../models/mailbox.pml"

never {
wait:
	do
	:: !(len(box) > 0) -> goto accept_never
	:: true
	od;
accept_never:
	do
	:: !(len(box) > 0)
	od
}
