/* Le Lann, Chang and Roberts: leader election on a unidirectional ring.
 * Node i has the identity (i*I) mod N + 1, only the largest one survives.
 */
#define N 5		/* nodes */
#define I 3		/* for the order of identities, gcd(I,N)=1 */
#define L 10		/* size of the buffers */

mtype = { token, elected };
chan q[N] = [L] of { mtype, byte };

byte nleaders = 0;
byte known = 0;

proctype node(chan in, out; byte mine)
{
	mtype t;
	byte id;

	out!token(mine);
	do
	:: in?t(id) ->
		if
		:: t == token ->
			if
			:: id > mine -> out!token(id)
			:: id < mine -> skip
			:: id == mine ->
				nleaders++;
				assert(nleaders == 1);
				assert(mine == N);
				out!elected(mine)
			fi
		:: t == elected ->
			known++;
			if
			:: id != mine -> out!elected(id)
			:: else -> skip
			fi;
			break
		fi
	od
}

init {
	byte i;
	atomic {
		i = 0;
		do
		:: i < N ->
			run node(q[i], q[(i + 1) % N], (i * I) % N + 1);
			i++
		:: i >= N -> break
		od
	}
}

ltl one_leader { <> (nleaders == 1) }
ltl all_know { <> [] (known == N) }
