/* Level crossing with two tracks: the controller forgets the second train */
mtype = { appr, exit_, down, up };

chan toCtl = [0] of { mtype };
chan toGate = [0] of { mtype };

bool gateDown = false;
byte crossing = 0;

proctype train()
{
	do
	:: toCtl!appr;
	   atomic { gateDown -> crossing++ };
	   assert(gateDown);
	   atomic { crossing--; toCtl!exit_ }
	od
}

active proctype controller()
{
	do
	:: toCtl?appr -> if
	                 :: !gateDown -> toGate!down
	                 :: else -> skip
	                 fi
	:: toCtl?exit_ -> toGate!up
	od
}

active proctype gate()
{
	do
	:: toGate?down -> gateDown = true
	:: toGate?up -> gateDown = false
	od
}

init { atomic { run train(); run train() } }
