/* Dekker (1962) with a hand-written never claim */

bool want0, want1;
byte turn = 0;
byte cnt;

active proctype P0()
{
	do
	:: want0 = true;
	   do
	   :: want1 ->
		if
		:: turn == 1 ->
			want0 = false;
			(turn == 0);
			want0 = true
		:: else
		fi
	   :: else -> break
	   od;
	   cnt++;
	   cnt--;
	   turn = 1;
	   want0 = false
	od
}

active proctype P1()
{
	do
	:: want1 = true;
	   do
	   :: want0 ->
		if
		:: turn == 0 ->
			want1 = false;
			(turn == 1);
			want1 = true
		:: else
		fi
	   :: else -> break
	   od;
	   cnt++;
	   cnt--;
	   turn = 0;
	   want1 = false
	od
}

never {	/* <> (cnt > 1) */
T0_init:
	do
	:: (cnt > 1) -> goto accept_all
	:: true
	od;
accept_all:
	skip
}
