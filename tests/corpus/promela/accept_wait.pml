/* Two-level queue: a job of the low queue is served only when the high
 * queue is empty.  The accept label marks the waiting state of a low job. */

chan high = [1] of { bit };
chan low  = [1] of { bit };

active proctype source_high()
{
	do
	:: high!1
	od
}

active proctype job_low()
{
	low!0;
accept_waiting:
	do
	:: empty(low) -> break
	:: nempty(low) -> skip
	od
}

active proctype server()
{
end:	do
	:: high?_
	:: empty(high) && nempty(low) -> low?_
	od
}
