/* Clients send their reply channels with their requests; servers take requests from one queue and may pass
 * them on. Channel references in messages and in variables. */
#define CLIENTS 3
#define SERVERS 2

mtype = { ask, answer, busy };

chan desk = [2] of { mtype, chan, byte };
chan private[SERVERS] = [1] of { chan, byte };
byte open;

active [CLIENTS] proctype Client()
{
	chan mine = [1] of { mtype, byte };
	byte number;

	do
	:: desk!ask, mine, _pid;
	   open++;
	   assert(open <= CLIENTS);
	   if
	   :: mine?answer, number -> assert(number == _pid)
	   :: mine?busy, number
	   fi;
	   open--
	od
}

active [SERVERS] proctype Server()
{
	chan whom;
	byte number;

	do
	:: desk?ask, whom, number ->
		if
		:: whom!answer, number
		:: whom!busy, number
		:: private[(_pid + 1) % SERVERS]!whom, number
		fi;
		number = 0
	:: private[_pid % SERVERS]?whom, number ->
		whom!answer, number;
		number = 0
	od
}
