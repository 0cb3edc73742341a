/* A worker that an alarm can stop anywhere, and that starts over. */
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
