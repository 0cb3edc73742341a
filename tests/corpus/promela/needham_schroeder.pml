/* Needham-Schroeder public key protocol with an intruder (Lowe's attack). */

mtype = { null, A, B, I, Na, Nb, Ni, ok, err };

typedef Crypt { mtype key, d1, d2 };

chan net = [0] of { mtype /* receiver */, Crypt };

mtype partnerA = null, partnerB = null;
mtype statusA = err, statusB = err;
bool knows_Na, knows_Nb;

active proctype Alice()
{
	Crypt m1, m2, m3;

	if
	:: partnerA = B; m1.key = B
	:: partnerA = I; m1.key = I
	fi;
	m1.d1 = A;
	m1.d2 = Na;
	net!m1.key, m1;

	net?A, m2;
	(m2.key == A && m2.d1 == Na);

	m3.key = partnerA;
	m3.d1 = m2.d2;
	m3.d2 = null;
	net!m3.key, m3;
	statusA = ok
}

active proctype Bob()
{
	Crypt m1, m2, m3;

	net?B, m1;
	(m1.key == B);
	partnerB = m1.d1;

	m2.key = m1.d1;
	m2.d1 = m1.d2;
	m2.d2 = Nb;
	net!m2.key, m2;

	net?B, m3;
	(m3.key == B && m3.d1 == Nb);
	statusB = ok
}

active proctype Intruder()
{
	mtype rcpt;
	Crypt data, intercepted;

end:	do
	:: net?rcpt, data ->
		if
		:: data.key == I ->
			if
			:: data.d1 == Na || data.d2 == Na -> knows_Na = true
			:: else
			fi;
			if
			:: data.d1 == Nb || data.d2 == Nb -> knows_Nb = true
			:: else
			fi
		:: else ->
			intercepted.key = data.key;
			intercepted.d1 = data.d1;
			intercepted.d2 = data.d2
		fi
	:: /* replay or forge a message */
		if
		:: rcpt = A
		:: rcpt = B
		fi;
		if
		:: intercepted.key != null ->
			data.key = intercepted.key;
			data.d1 = intercepted.d1;
			data.d2 = intercepted.d2
		:: data.key = rcpt;
			if
			:: data.d1 = A
			:: data.d1 = I
			:: knows_Na -> data.d1 = Na
			:: knows_Nb -> data.d1 = Nb
			fi;
			if
			:: data.d2 = Ni
			:: knows_Na -> data.d2 = Na
			:: knows_Nb -> data.d2 = Nb
			fi
		fi;
end_s:		net!rcpt, data
	od
}

ltl auth { [] ((statusA == ok && statusB == ok) -> (partnerA == B && partnerB == A)) }
