mtype = { RED, ORANGE, GREEN };

/* Two traffic lights which alternate.  Course "Modelling", exercise 4b. */

mtype light[2] = RED;
chan turn = [0] of { byte };

proctype TrafficLight(byte id)
{
	do
	::	turn?eval(id);
		light[id] = GREEN;
		light[id] = ORANGE;
		light[id] = RED;
		turn!(1 - id)
	od
}

init {
	atomic {
		run TrafficLight(0);
		run TrafficLight(1)
	}
	turn!0
}

ltl never_both     { [] (light[0] == RED || light[1] == RED) }
ltl again_green_0  { [] <> (light[0] == GREEN) }
ltl again_green_1  { [] <> (light[1] == GREEN) }
ltl orange_first   { [] (light[0] == GREEN -> (light[0] == GREEN U light[0] == ORANGE)) }
