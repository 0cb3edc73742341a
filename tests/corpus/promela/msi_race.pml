/* Snooping MSI protocol where the upgrade is not atomic. */
mtype = { M, S, I };

#define NCPU 2

mtype line[NCPU] = I;
bool bus;		/* bus lock */
byte data[NCPU];
byte mem;

inline lock_bus()   { atomic { !bus -> bus = true } }
inline unlock_bus() { bus = false }

proctype core(byte me)
{
	byte other = 1 - me;

	do
	:: line[me] == I ->				/* read miss */
		lock_bus();
		if
		:: line[other] == M -> mem = data[other]; line[other] = S
		:: else
		fi;
		data[me] = mem;
		line[me] = S;
		unlock_bus()
	:: line[me] == S ->				/* upgrade */
		lock_bus();
		line[other] = I;
		line[me] = M;
		unlock_bus()
	:: line[me] == M ->				/* write hit */
		data[me] = 1 - data[me]
	:: line[me] == S || line[me] == M ->		/* eviction */
		lock_bus();
		if
		:: line[me] == M -> mem = data[me]
		:: else
		fi;
		line[me] = I;
		unlock_bus()
	od
}

init { atomic { run core(0); run core(1) } }

ltl coherent { [] ((line[0] == S && line[1] == S && !bus) -> data[0] == data[1]) }
