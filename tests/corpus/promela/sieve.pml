/* Sieve of Eratosthenes as a growing pipeline of processes. */

#define MAX 12

mtype = { number, eof };

chan found = [MAX] of { byte };

proctype sieve(chan c; byte prime)
{
	chan child = [0] of { mtype, byte };
	bool haschild = false;
	byte n;

	found!prime;
	do
	:: c?number(n) ->
		if
		:: (n % prime) == 0 -> skip
		:: else ->
			if
			:: !haschild -> haschild = true; run sieve(child, n)
			:: else -> child!number(n)
			fi
		fi
	:: c?eof(0) -> break
	od;
	if
	:: haschild -> child!eof(0)
	:: else
	fi
}

init {
	chan c = [0] of { mtype, byte };
	byte n = 2;

	run sieve(c, n);
	n++;
	do
	:: n <= MAX -> c!number(n); n++
	:: n > MAX -> c!eof(0); break
	od;
	_nr_pr == 1;
	/* 2 3 5 7 11 */
	assert(len(found) == 5);
	found??11
}
