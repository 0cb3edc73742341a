/* A switch with features that are provisioned once, and a call that is handled according to them. */
#define FEATURES 40

bit feature[FEATURES];
byte provisioned;
mtype = { idle, dialled, ringing, talking, forwarded, released };
mtype call = idle;

active proctype Provision()
{
	do
	:: provisioned < FEATURES -> provisioned++
	:: d_step { provisioned < FEATURES -> feature[provisioned] = 1; provisioned++ }
	:: else -> break
	od
}

active proctype Call()
{
	provisioned == FEATURES;
end:	do
	:: call == idle -> call = dialled
	:: call == dialled && feature[0] && !feature[1] -> call = forwarded
	:: call == dialled && !(feature[0] && !feature[1]) -> call = ringing
	:: call == forwarded && feature[2] -> call = ringing
	:: call == forwarded && !feature[2] -> call = released
	:: call == ringing -> call = talking
	:: call == ringing && feature[3] && feature[4] -> call = forwarded
	:: call == talking -> call = released
	:: call == released && !feature[5] -> call = idle
	od
}
