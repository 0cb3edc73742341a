/* A customer, a cash machine and a bank per counter communicate by rendezvous; three counters share the vault.
 * Rendezvous. */
#define COUNTERS 3
#define VAULT 2

mtype = { card, pin, ok, wrong, amount, money, refused, eject };

chan slot[COUNTERS] = [0] of { mtype, byte };
chan line[COUNTERS] = [0] of { mtype, byte };
byte vault = VAULT;

proctype Customer(byte counter)
{
	byte purse, tries;

	do
	:: slot[counter]!card, counter;
	   tries = 0;
	   do
	   :: slot[counter]!pin, 1 -> slot[counter]?ok, _; break
	   :: tries < 1 -> slot[counter]!pin, 0; slot[counter]?wrong, _; tries++
	   od;
	   slot[counter]!amount, 1;
	   if
	   :: slot[counter]?money, purse -> assert(purse == 1)
	   :: slot[counter]?refused, _
	   fi;
	   slot[counter]?eject, _;
	   atomic { vault = vault + purse; purse = 0 }
	od
}

proctype Machine(byte counter)
{
	byte value;

	do
	:: slot[counter]?card, _;
	   do
	   :: slot[counter]?pin, value ->
		line[counter]!pin, value;
		if
		:: line[counter]?ok, _ -> slot[counter]!ok, 0; break
		:: line[counter]?wrong, _ -> slot[counter]!wrong, 0
		fi
	   od;
	   slot[counter]?amount, value;
	   line[counter]!amount, value;
	   if
	   :: line[counter]?money, value -> slot[counter]!money, value
	   :: line[counter]?refused, value -> slot[counter]!refused, 0
	   fi;
	   value = 0;
	   slot[counter]!eject, 0
	od
}

proctype Bank(byte counter)
{
	byte value;

	do
	:: line[counter]?pin, value ->
		if
		:: value == 1 -> line[counter]!ok, 0
		:: else -> line[counter]!wrong, 0
		fi;
		value = 0
	:: line[counter]?amount, value ->
		if
		:: atomic { vault >= value -> vault = vault - value }; line[counter]!money, value
		:: vault < value -> line[counter]!refused, 0
		fi;
		assert(vault <= VAULT);
		value = 0
	od
}

init
{
	byte i;

	atomic {
		for (i : 0 .. COUNTERS - 1) {
			run Customer(i);
			run Machine(i);
			run Bank(i)
		}
		i = 0
	}
}
