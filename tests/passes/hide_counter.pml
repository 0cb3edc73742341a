/* A counter that no property depends on: it multiplies the number of states by 256, and the infinite
   execution repeats only after 256 iterations. */
byte steps;
bool flag;
active proctype P()
{
	do
	:: flag = !flag; steps++
	od
}
ltl settles { <> [] flag }
