/* On-the-fly garbage collection with three colours (after Dijkstra et al.).
 * Three nodes with one pointer each; node 0 is the root; node NIL = 2 is the
 * free list's sentinel in this small version.
 */
#define NODES 3
#define white 0
#define grey  1
#define black 2

byte colour[NODES];
byte son[NODES];
bool freed[NODES];

inline shade(n) {
	d_step {
		if
		:: colour[n] == white -> colour[n] = grey
		:: else
		fi
	}
}

/* the mutator redirects the root to a node which is reachable */
active proctype mutator()
{
	byte t;

	do
	:: atomic {
		if
		:: t = son[0]
		:: t = son[son[0]]
		:: t = 0
		fi;
		assert(!freed[t])
	   };
	   shade(t);
	   son[0] = t;
	   t = 0
	od
}

active proctype collector()
{
	byte i, j;
	bool found;

	do
	::	shade(0);
mark:		i = 0; found = false;
		do
		:: i < NODES ->
			if
			:: colour[i] == grey ->
				found = true;
				j = son[i];
				shade(j);
				colour[i] = black;
				j = 0
			:: else
			fi;
			i++
		:: else -> break
		od;
		if
		:: found -> goto mark
		:: else
		fi;
		/* sweep */
		i = 0;
		do
		:: i < NODES ->
			if
			:: colour[i] == white -> freed[i] = true
			:: colour[i] != white -> colour[i] = white
			fi;
			i++
		:: else -> break
		od;
		i = 0
	od
}
