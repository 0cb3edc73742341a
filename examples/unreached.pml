/* The alarm is unreachable. Found with --enable unreached. */

byte level;
bool alarm;

active proctype tank()
{
	do
	:: level < 3 -> level++
	:: level > 0 -> level--
	:: level > 3 -> alarm = true
	od
}
