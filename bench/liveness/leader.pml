/* A leader is elected: <>(leaders == 1). */
#include "../models/leader.pml"

never {
accept_none:
	do
	:: !(leaders == 1)
	od
}
