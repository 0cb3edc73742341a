/* Traffic lights of a crossing with two roads and a footway: cars and walkers arrive between two phases, and a light
 * stays green for at most three phases while others wait. The footway is green infinitely often, because its phase comes
 * round: []<>(light[2] == green). */
#define ROADS 3
#define ROOM 14

mtype = { red, green };
mtype light[ROADS] = red;
byte queue[ROADS];
byte now, green_for;
bool controls;

active proctype Arrivals()
{
	byte i;

	do
	:: !controls ->
		i = 0;
		do
		:: i < ROADS && queue[i] < ROOM -> queue[i]++; i++
		:: i < ROADS -> i++
		:: i == ROADS -> break
		od;
		i = 0;
		controls = true
	od
}

active proctype Controller()
{
	do
	:: controls ->
		if
		:: light[now] == red -> light[now] = green; green_for = 0
		:: light[now] == green && queue[now] > 0 && green_for < 3 -> d_step { queue[now]--; green_for++ }
		:: light[now] == green && (queue[now] == 0 || green_for > 0) ->
			light[now] = red;
			green_for = 0;
			now = (now + 1) % ROADS
		fi;
		controls = false
	od
}

never {
wait:
	do
	:: !(light[2] == green) -> goto accept_never
	:: true
	od;
accept_never:
	do
	:: !(light[2] == green)
	od
}
