/* MESI protocol on a snooping bus; the bus is atomic, memory has one line. */

mtype = { Invalid, Shared, Exclusive, Modified };

#define CPUS 3

mtype state[CPUS] = Invalid;
byte  value[CPUS];
byte  memory = 0;
byte  latest = 0;	/* ghost: value of the last write */

inline flush_owner(me) {
	/* a modified copy elsewhere is written back */
	k = 0;
	do
	:: k < CPUS ->
		if
		:: k != me && state[k] == Modified ->
			memory = value[k]
		:: else
		fi;
		k++
	:: else -> break
	od
}

inline bus_read(me) {
	d_step {
		flush_owner(me);
		others = false;
		k = 0;
		do
		:: k < CPUS ->
			if
			:: k != me && state[k] != Invalid ->
				state[k] = Shared;
				others = true
			:: else
			fi;
			k++
		:: else -> break
		od;
		value[me] = memory;
		if
		:: others -> state[me] = Shared
		:: else -> state[me] = Exclusive
		fi;
		k = 0; others = false
	}
}

inline bus_rdx(me) {
	d_step {
		flush_owner(me);
		k = 0;
		do
		:: k < CPUS ->
			if
			:: k != me -> state[k] = Invalid; value[k] = 0
			:: else
			fi;
			k++
		:: else -> break
		od;
		value[me] = memory;
		state[me] = Exclusive;
		k = 0
	}
}

proctype cpu(byte me)
{
	byte k;
	bool others;

	do
	:: /* load */
	   if
	   :: state[me] == Invalid -> bus_read(me)
	   :: state[me] != Invalid -> skip
	   fi;
	   atomic {
		if
		:: state[me] != Invalid -> assert(value[me] == latest)
		:: else -> skip		/* invalidated in between, retry */
		fi
	   }
	:: /* store */
	   if
	   :: state[me] == Invalid || state[me] == Shared -> bus_rdx(me)
	   :: else -> skip
	   fi;
	   d_step {
		if
		:: state[me] == Exclusive || state[me] == Modified ->
			value[me] = (latest + 1) % 3;
			latest = value[me];
			state[me] = Modified
		:: else
		fi
	   }
	:: /* evict */
	   d_step {
		if
		:: state[me] == Modified -> memory = value[me]
		:: else
		fi;
		state[me] = Invalid;
		value[me] = 0
	   }
	od
}

init { atomic { run cpu(0); run cpu(1); run cpu(2) } }

#define owner(i) (state[i] == Modified || state[i] == Exclusive)

ltl single_owner { [] !( (owner(0) && state[1] != Invalid) ||
                         (owner(1) && state[2] != Invalid) ||
                         (owner(2) && state[0] != Invalid) ) }
