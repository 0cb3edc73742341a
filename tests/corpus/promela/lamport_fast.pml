/* L. Lamport, A fast mutual exclusion algorithm (1987), two processes. */

#define N 2

byte x = N, y = N;	/* N: no process */
bool b[N];
byte inside;

active [N] proctype p()
{
	byte i = _pid;

start:
	b[i] = true;
	x = i;
	if
	:: y != N ->
		b[i] = false;
		y == N;
		goto start
	:: y == N
	fi;
	y = i;
	if
	:: x != i ->
		b[i] = false;
		!b[0];
		!b[1];
		if
		:: y != i -> y == N; goto start
		:: y == i
		fi
	:: x == i
	fi;
cs:	inside++;
	assert(inside == 1);
	inside--;
	y = N;
	b[i] = false;
	goto start
}

ltl mutex { [] !(p[0]@cs && p[1]@cs) }
