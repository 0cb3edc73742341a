/* Lock-free stack with compare-and-swap and nodes that are reused (ABA). */

#define NIL 0
#define NODES 2

byte head = NIL;
byte next[NODES + 1];
byte owner[NODES + 1];		/* pid + 1 of the process that holds it */

inline cas(addr, old, new, ok) {
	d_step {
		if
		:: addr == old -> addr = new; ok = true
		:: else -> ok = false
		fi
	}
}

inline push(n) {
	do
	:: 	h = head;
		next[n] = h;
		owner[n] = 0;
		cas(head, h, n, ok);
		if
		:: ok -> break
		:: else -> owner[n] = _pid + 1
		fi
	od
}

inline pop(n) {
	do
	::	h = head;
		if
		:: h == NIL -> n = NIL; break
		:: else
		fi;
		x = next[h];
		cas(head, h, x, ok);
		if
		:: ok -> n = h; assert(owner[n] == 0); owner[n] = _pid + 1; break
		:: else
		fi
	od
}

proctype user()
{
	byte h, x, a, b;
	bool ok;

	pop(a);
	pop(b);
	if
	:: a != NIL -> push(a)
	:: else
	fi;
	if
	:: b != NIL -> push(b)
	:: else
	fi
}

init {
	d_step {
		next[1] = NIL; next[2] = 1; head = 2
	}
	atomic { run user(); run user() }
}
