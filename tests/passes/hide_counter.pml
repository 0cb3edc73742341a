/* A counter that nothing depends on: with it the run takes 256 times as many states, and the run that never comes to
   an end goes round 256 times before all is as it was. */
byte steps;
bool flag;
active proctype P()
{
	do
	:: flag = !flag; steps++
	od
}
ltl settles { <> [] flag }
