short v[16];

inline checkresult() {
	d_step {
		i = 0;
		do
		:: i < n-1 ->
			assert(v[i] <= v[i+1]);
			i++
		:: else ->
			break
		od;
		skip
	}
}

proctype quicksort(short a, n)
{	atomic {
		printf("quicksort %d - %d\n", a, n);
#include "quicksort.spn"
done:		skip
	}
}

init {
	short i, n;
	if
	:: n = 6	/* even value for n */
	:: n = 5	/* odd value for n */
	:: n = 0	/* boundary case */
	:: n = 1	/* boundary case */
	fi;
	do
	:: i < n -> i++;
		if
		:: v[i-1] = 15
		:: v[i-1] = 9
		:: v[i-1] = 4
		:: v[i-1] = 27
		:: v[i-1] = 11
		fi
	:: else ->
		break
	od;
	run quicksort(0, n);
	_nr_pr == _pid+1;
	checkresult()
}
