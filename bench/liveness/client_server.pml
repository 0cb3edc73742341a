/* A request is pending infinitely often: []<>(open > 0). */
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
