/* A ring of lamps, each with the number of lit neighbours and its weight; any lamp may be switched
 * at any time. A large state vector (over 200 bytes) with small changes, 19 successors, one process. */
#define N 19
#define SWITCH(i) \
	:: d_step { \
		delta = (lamp[i].on -> -1 : 1); \
		lamp[i].on = !lamp[i].on; \
		lit = lit + delta; \
		lamp[(i + 1) % N].near = lamp[(i + 1) % N].near + delta; \
		lamp[(i + N - 1) % N].near = lamp[(i + N - 1) % N].near + delta; \
		assert(lit >= 0 && lit <= N); \
		delta = 0 \
	}

typedef Lamp {
	bool on;
	int near;
	int weight;
	short tag;
};

Lamp lamp[N];
int lit;

active proctype Hand()
{
	byte i;
	int delta;

	d_step {
		for (i : 0 .. N - 1) { lamp[i].tag = 100 + i; lamp[i].weight = 1000 * i }
		i = 0
	}
	do
	SWITCH(0) SWITCH(1) SWITCH(2) SWITCH(3) SWITCH(4) SWITCH(5) SWITCH(6) SWITCH(7) SWITCH(8) SWITCH(9)
	SWITCH(10) SWITCH(11) SWITCH(12) SWITCH(13) SWITCH(14) SWITCH(15) SWITCH(16) SWITCH(17) SWITCH(18)
	od
}
