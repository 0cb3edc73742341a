/* With priorities: `level` decides a priority, so it is needed. `count` is never read, and `scratch` is dead after
   its use. */
byte level = 3, count, x;
active proctype High() priority 5
{
	byte scratch;
	do
	:: scratch = x + 1; x = scratch % 2; count++
	:: set_priority(_pid, level); level = 4 - level
	od
}
active proctype Low() priority 2
{
	byte scratch;
	do
	:: scratch = x + 2; assert(scratch < 4); count = count + scratch
	:: set_priority(0, 5)
	od
}
