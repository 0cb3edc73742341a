/* The word count with an input of three symbols: the words are irrelevant to the property. */
chan stdin = [1] of { short };
short c;
byte nl, nw, nc;
bool inword = false;

active proctype wordcount()
{
	do
	:: stdin?c ->
		if
		:: c == -1 -> break
		:: c == 10 -> nc++; nl++
		:: else -> nc++
		fi;
		if
		:: c == 32 || c == 10 -> inword = false
		:: else ->
			if
			:: !inword -> nw++; inword = true
			:: else
			fi
		fi
	od
}

active proctype input()
{
	byte sent;
	do
	:: sent < 3 ->
		if
		:: stdin!10
		:: stdin!32
		:: stdin!97
		fi;
		sent++
	:: else -> break
	od;
	stdin!-1
}

ltl counted { [] (nc >= nl) }
ltl words { [] (nc >= nw) }
ltl some { <> (nl > 1) }
