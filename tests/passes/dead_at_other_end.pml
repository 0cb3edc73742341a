/* The variable is dead on one branch and live on the other. */
byte seen;
active [2] proctype P()
{
	byte v = 5, w;
	do
	:: v > 0 ->
	   v = v - 1;
	   if
	   :: w = v
	   :: v > 1 -> w = 0
	   fi;
	   seen = seen | w
	:: v == 0 -> break
	od;
	assert(w < 5)
}
