chan qin = [6] of { int };

inline checkresult() {
	i = 0;
	do
	:: i < n-1 ->
		assert(v[i] <= v[i+1]);
		i++
	:: else ->
		break
	od
}

init {
	byte i, n;
	if
	:: n = 6	/* even value for n */
	:: n = 5	/* odd value for n */
	:: n = 0	/* boundary case */
	:: n = 1	/* boundary case */
	fi;
	do
	:: i < n -> i++;	/* placed together to get a merge pair */
		if
		:: qin!15	/* choose from n different or equal nrs */
		:: qin!9	/* we could also fill in the v[]'s directly */
		:: qin!4
		:: qin!27
		:: qin!11
		fi
	:: else ->
		break
	od;
	skip;	/* syntax requirement */
	d_step {
#include "main.spn"
	}
}
