/* A remote reference uses the label between two local steps. */
active proctype P()
{
	byte i;
	i = 1;
here:	i = 2;
	i = 3;
there:	i = 4
}
ltl never_here { [] !P@here }
ltl comes_there { <> P@there }
