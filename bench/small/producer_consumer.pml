/* Two producers, two consumers, one bounded buffer. */
chan buffer = [3] of { byte };
byte inside;

active [2] proctype Producer()
{
	byte n;

	do
	:: buffer!n; n = (n + 1) % 5
	od
}

active [2] proctype Consumer()
{
	byte got;

	do
	:: buffer?got; assert(got < 5)
	od
}
