/* A worker that an alarm can interrupt anywhere, and that restarts. */
bool alarm;

active [3] proctype Worker()
{
	byte step;

	do
	:: {
		do
		:: step < 6 -> step++
		:: step == 6 -> break
		od
	   } unless { alarm };
	   assert(step <= 6);
	   step = 0;
	   !alarm
	od
}

active proctype Alarm()
{
	do
	:: alarm = true; alarm = false
	od
}
