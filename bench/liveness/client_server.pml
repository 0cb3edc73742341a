/* Some request is open again and again: []<>(open > 0). */
#include "../models/client_server.pml"

never {
wait:
	do
	:: !(open > 0) -> goto accept_never
	:: true
	od;
accept_never:
	do
	:: !(open > 0)
	od
}
