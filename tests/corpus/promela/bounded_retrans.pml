/* Bounded retransmission: file of LEN blocks, MAXR tries for each block. */
#define LEN  3
#define MAXR 2

mtype = { first, inc, last, fin, notok, dontknow, none };

chan K = [1] of { mtype, bit };      /* frame, alternating bit */
chan L = [1] of { bit };             /* acknowledgement */
mtype confirm = none, indicate = none;
byte got;

active proctype Sender()
{
	byte n = 1, tries = 0;
	bit ab = 0;
	mtype kind;

	do
	:: n <= LEN ->
		if
		:: n == LEN -> kind = last
		:: n == 1 && n != LEN -> kind = first
		:: n > 1 && n < LEN -> kind = inc
		fi;
send:		if
		:: K!kind,ab
		:: skip			/* lost */
		fi;
		tries++;
		if
		:: L?_ -> ab = 1 - ab; n++; tries = 0
		:: timeout ->
			if
			:: tries <= MAXR -> goto send
			:: else ->
				if
				:: n == LEN -> confirm = dontknow
				:: else -> confirm = notok
				fi;
				goto stop
			fi
		fi
	:: else -> confirm = fin; break
	od;
stop:	skip
}

active proctype Receiver()
{
	bit ab, expected = 0;
	mtype kind;

end:	do
	:: K?kind,ab ->
		if
		:: ab == expected ->
			got++;
			indicate = kind;
			expected = 1 - expected
		:: else
		fi;
		if
		:: L!ab
		:: skip			/* lost */
		fi
	od
}

ltl ok_means_all { [] (confirm == fin -> got == LEN && indicate == last) }
ltl notok_means { [] (confirm == notok -> got < LEN) }
ltl done { <> (confirm != none) }
