/* Frogs and toads exchange their places: the goal is reported as a violation. */
#define N 9
byte at[N]; byte gap = 4;
init {
	atomic { at[0]=1; at[1]=1; at[2]=1; at[3]=1; at[5]=2; at[6]=2; at[7]=2; at[8]=2 };
	do
	:: gap > 0 && at[gap-1] == 1 -> d_step { at[gap] = 1; at[gap-1] = 0; gap = gap-1 }
	:: gap > 1 && at[gap-2] == 1 -> d_step { at[gap] = 1; at[gap-2] = 0; gap = gap-2 }
	:: gap < N-1 && at[gap+1] == 2 -> d_step { at[gap] = 2; at[gap+1] = 0; gap = gap+1 }
	:: gap < N-2 && at[gap+2] == 2 -> d_step { at[gap] = 2; at[gap+2] = 0; gap = gap+2 }
	:: gap == 4 && at[0] == 2 && at[3] == 2 && at[5] == 1 && at[8] == 1 -> assert(false)
	:: else -> break
	od
}
