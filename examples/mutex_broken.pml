/* Two processes want to be alone in their critical sections. Each looks whether the other is in, then goes in:
   between looking and going in there is time for the other to do the same. */

bool inside[2];
byte count;

active [2] proctype user()
{
	do
	:: !inside[1 - _pid];           /* the other one is out */
	   inside[_pid] = true;
	   count++;
	   assert(count == 1);          /* and yet we may both be here */
	   count--;
	   inside[_pid] = false
	od
}
