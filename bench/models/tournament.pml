/* Peterson's two-process lock as a tournament tree of four processes.
 * Shared variables, few processes, long paths. */
#define N 4

byte turn[3];
bool want[6];          /* node * 2 + side */
byte inside;

active [N] proctype Player()
{
	byte node, side, level, at[2];

again:
	level = 0;
	node = _pid / 2;
	side = _pid % 2;
climb:
	want[node * 2 + side] = true;
	turn[node] = side;
	(!want[node * 2 + 1 - side] || turn[node] != side);
	at[level] = node * 2 + side;
	level++;
	if
	:: level < 2 -> side = node; node = 2; goto climb
	:: else
	fi;
	inside++;
	assert(inside == 1);
	inside--;
	do
	:: level > 0 -> level--; want[at[level]] = false
	:: else -> break
	od;
	goto again
}
