/* Each person knows one secret; a call merges the knowledge of two persons, computed in loops
 * inside deterministic steps. */
#define N 4

typedef Person {
	bool knows[N];
};

Person person[N];
byte complete;

active [N] proctype Caller()
{
	byte other, i;

	d_step { person[_pid].knows[_pid] = true };
	do
	:: atomic {
		select (other : 0 .. N - 1);
		if
		:: other > _pid ->
			d_step {
				for (i : 0 .. N - 1) {
					person[_pid].knows[i] = person[_pid].knows[i] || person[other].knows[i];
					person[other].knows[i] = person[_pid].knows[i]
				}
				i = 0;
				other = 0
			}
		:: else -> other = 0
		fi
	   }
	   assert(person[_pid].knows[_pid])
	:: atomic {
		complete < 12 ->
		d_step {
			for (i : 0 .. N - 1) { person[_pid].knows[i] = (i == _pid) }
			i = 0
		}
		complete++
	   }
	od
}
