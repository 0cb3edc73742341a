/* Clients send requests through one queue to a server, which answers them in order. A request of client 0 is answered:
 * [](pending -> <>!pending). */
#define N 3

mtype = { read, write };
chan requests = [N] of { byte, mtype };
chan replies[N] = [0] of { byte };
bool pending;
byte value;

active [N] proctype Client()
{
	byte got, kind;

	do
	:: if
	   :: kind = read
	   :: kind = write
	   fi;
	   if
	   :: _pid == 0 -> atomic { requests!_pid, kind; pending = true }
	   :: else -> requests!_pid, kind
	   fi;
	   kind = 0;
	   if
	   :: _pid == 0 -> atomic { replies[_pid]?got; pending = false }
	   :: else -> replies[_pid]?got
	   fi;
	   got = 0
	od
}

active proctype Server()
{
	byte who, what;

	do
	:: requests?who, what ->
		if
		:: what == write -> value = (value + 1) % 3
		:: else
		fi;
		replies[who]!value;
		who = 0;
		what = 0
	od
}

never {
wait:
	do
	:: pending -> goto accept_waits
	:: true
	od;
accept_waits:
	do
	:: pending
	od
}
