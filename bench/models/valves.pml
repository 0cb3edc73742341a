/* A plant of tanks and valves with a controller that an alarm may interrupt at any time.
 * Escapes (unless), guards with else, many small processes. */
#define TANKS 3
#define FULL 2

byte level_[TANKS];
bool valve[TANKS];
bool alarm;

active [TANKS] proctype Tank()
{
	do
	:: {
		do
		:: valve[_pid] && level_[_pid] < FULL -> level_[_pid]++
		:: !valve[_pid] && level_[_pid] > 0 -> level_[_pid]--
		:: valve[_pid] && level_[_pid] == FULL -> valve[_pid] = false
		od
	   } unless {
		alarm
	   };
	   assert(level_[_pid] <= FULL);
	   !alarm
	od
}

active proctype Controller()
{
	byte t;

	do
	:: select (t : 0 .. TANKS - 1);
	   if
	   :: level_[t] == 0 -> valve[t] = true
	   :: level_[t] == FULL -> valve[t] = false
	   :: else
	   fi;
	   t = 0
	:: alarm = true;
	   alarm = false
	od
}
