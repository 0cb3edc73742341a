/* A property over infinite runs that holds: the light goes on again and again. */

bool light;

active proctype blinker()
{
	do
	:: light = !light
	od
}

ltl blinks { []<> light }
