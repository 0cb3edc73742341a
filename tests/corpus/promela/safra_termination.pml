/* Detection of termination in a ring (Safra's algorithm, EWD 998). */
#define N 3

#define white 0
#define black 1

chan mail[N] = [2] of { bit };		/* basic messages */
chan token[N] = [1] of { bit, short };	/* colour, sum */

bool active_[N];
short c[N];
bit colour[N];
byte budget = 3;		/* messages that may still be sent */
bool announced;

#define quiet (!active_[0] && !active_[1] && !active_[2] && \
               empty(mail[0]) && empty(mail[1]) && empty(mail[2]))

proctype machine(byte i)
{
	bit tc;
	short q;
	byte to;

	do
	:: active_[i] && budget > 0 ->
		atomic {
			if
			:: to = (i + 1) % N
			:: to = (i + 2) % N
			fi;
			if
			:: budget > 0 && len(mail[to]) < 2 ->
				budget--; c[i]++; mail[to]!1
			:: else
			fi;
			to = 0
		}
	:: active_[i] -> active_[i] = false
	:: atomic { mail[i]?_ -> c[i]--; colour[i] = black; active_[i] = true }
	:: i != 0 && !active_[i] && token[i]?[tc, q] ->
		atomic {
			token[i]?tc(q);
			if
			:: colour[i] == black -> tc = black
			:: else
			fi;
			token[i - 1]!tc(q + c[i]);
			colour[i] = white;
			tc = 0; q = 0
		}
	:: i == 0 && !active_[0] && token[0]?[tc, q] ->
		atomic {
			token[0]?tc(q);
			if
			:: tc == white && colour[0] == white && q + c[0] == 0 && !active_[0] ->
				announced = true;
				assert(quiet);
				goto done
			:: else ->
				colour[0] = white;
				token[N - 1]!white(0)
			fi;
			tc = 0; q = 0
		}
	:: announced -> break
	od;
done:	skip
}

init {
	atomic {
		active_[0] = true;
		active_[1] = true;
		token[N - 1]!white(0);
		run machine(0); run machine(1); run machine(2)
	}
}
