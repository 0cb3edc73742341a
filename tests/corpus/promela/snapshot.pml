/* Chandy-Lamport snapshot of two accounts which exchange money. */

#define TOTAL 4

mtype = { money, marker };

chan c01 = [3] of { mtype, byte };
chan c10 = [3] of { mtype, byte };

byte rec_state[2];
byte rec_chan[2];
byte finished;

proctype account(byte me; chan in, out; byte balance)
{
	byte amount;
	mtype m;
	bool recorded, closed;

	do
	:: balance > 0 && nfull(out) ->
		atomic { balance--; out!money(1) }
	:: me == 0 && !recorded && nfull(out) ->
		atomic {
			recorded = true;
			rec_state[me] = balance;
			out!marker(0)
		}
	:: atomic { in?m(amount) ->
		if
		:: m == money ->
			balance = balance + amount;
			if
			:: recorded && !closed -> rec_chan[me] = rec_chan[me] + amount
			:: else
			fi
		:: m == marker ->
			if
			:: !recorded ->
				recorded = true;
				rec_state[me] = balance;
				out!marker(0)
			:: else
			fi;
			closed = true;
			finished++
		fi;
		amount = 0
	   }
	:: finished == 2 -> break
	od
}

init {
	atomic {
		run account(0, c10, c01, TOTAL - 1);
		run account(1, c01, c10, 1)
	};
	(finished == 2);
	assert(rec_state[0] + rec_state[1] + rec_chan[0] + rec_chan[1] == TOTAL)
}
