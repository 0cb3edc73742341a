/* 30 processes obey a flag; the last one ignores it once. */
#define N 30
bool busy; byte inside;
active [N] proctype p() {
	do
	:: atomic { !busy -> busy = true }; inside++; assert(inside == 1); inside--; busy = false
	:: _pid == N - 1 -> inside++; inside--
	od
}
