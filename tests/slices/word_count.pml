chan stdin = [1] of { int };
int c, nl, nw, nc;
bool inword = false;

active proctype wordcount()
{	/* count number of lines, words, and chars received */
	do
	:: stdin?c ->
		if
		:: c == -1 -> break	/* end of input */
		:: c == '\n' -> nc++; nl++
		:: else -> nc++
		fi;
		if
		:: c == ' ' || c == '\t' || c == '\n' ->
			inword = false
		:: else ->
			if
			:: !inword ->
				nw++; inword = true
			:: else	/* do nothing */
			fi
		fi
	od;
	printf("%d\t%d\t%d\n", nl, nw, nc)
}

ltl counted { [] (nc >= nl) }
