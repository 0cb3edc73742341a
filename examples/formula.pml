/* An LTL property that holds: the light is on infinitely often. */

bool light;

active proctype blinker()
{
	do
	:: light = !light
	od
}

ltl blinks { []<> light }
