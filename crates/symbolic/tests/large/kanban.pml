/* A Kanban system: four cells, each with N cards; a part is processed, kept or reworked, and passed on. */
#define N 22

byte m1, back1, out1, k1 = N;
byte m2, back2, out2, k2 = N;
byte m3, back3, out3, k3 = N;
byte m4, back4, out4, k4 = N;

active proctype Cell1()
{
	do
	:: d_step { k1 > 0 -> k1--; m1++ }
	:: d_step { m1 > 0 -> m1--; back1++ }
	:: d_step { back1 > 0 -> back1--; m1++ }
	:: d_step { m1 > 0 -> m1--; out1++ }
	od
}

active proctype Split()
{
	do
	:: d_step { out1 > 0 && k2 > 0 && k3 > 0 -> out1--; k1++; k2--; m2++; k3--; m3++ }
	od
}

active proctype Cell2()
{
	do
	:: d_step { m2 > 0 -> m2--; back2++ }
	:: d_step { back2 > 0 -> back2--; m2++ }
	:: d_step { m2 > 0 -> m2--; out2++ }
	od
}

active proctype Cell3()
{
	do
	:: d_step { m3 > 0 -> m3--; back3++ }
	:: d_step { back3 > 0 -> back3--; m3++ }
	:: d_step { m3 > 0 -> m3--; out3++ }
	od
}

active proctype Join()
{
	do
	:: d_step { out2 > 0 && out3 > 0 && k4 > 0 -> out2--; k2++; out3--; k3++; k4--; m4++ }
	od
}

active proctype Cell4()
{
	do
	:: d_step { m4 > 0 -> m4--; back4++ }
	:: d_step { back4 > 0 -> back4--; m4++ }
	:: d_step { m4 > 0 -> m4--; out4++ }
	:: d_step { out4 > 0 -> out4--; k4++ }
	od
}
