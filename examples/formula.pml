/* A property over infinite runs: this version says that it is unknown. */

bool light;

active proctype blinker()
{
	do
	:: light = !light
	od
}

ltl blinks { []<> light }
