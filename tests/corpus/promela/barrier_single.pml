/* Barrier with a counter that is reset by the last one to leave, used in a
 * loop without a second gate. */
#define N 3
#define ROUNDS 2

byte arrived = 0;
byte left_ = 0;
bool open = false;
byte round[N];

active [N] proctype thread()
{
	byte r = 0;

	do
	:: r < ROUNDS ->
		round[_pid] = r;
		/* barrier */
		atomic {
			arrived++;
			if
			:: arrived == N -> open = true
			:: else
			fi
		};
		open;
		assert(round[0] >= r && round[1] >= r && round[2] >= r);
		atomic {
			left_++;
			if
			:: left_ == N -> arrived = 0; left_ = 0; open = false
			:: else
			fi
		};
		r++
	:: else -> break
	od
}
