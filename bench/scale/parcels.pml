/* Stations in a ring pass parcels to their neighbours, one at a time. The number of states is known in closed form, so
   that a search of any size can be verified: P parcels at N stations have C(P + N - 1, N - 1) arrangements, all of them
   are reachable, and every station with a parcel has one step, which makes N * C(P + N - 2, N - 1) transitions (and the
   transition into the initial state).

   With N = 8:  EACH   parcels           states      transitions
                   4        32       15,380,937      100,962,049
                   5        40       62,891,499      428,197,441
                   6        48      202,927,725    1,416,804,481
                   7        56      553,270,671    3,934,369,217
                   8        64    1,329,890,705    9,590,197,761
*/

#ifndef N
#define N 8         /* stations */
#endif
#ifndef EACH
#define EACH 4      /* parcels at each in the beginning */
#endif

byte at[N] = EACH;

active [N] proctype Station()
{
	do
	:: d_step {
		at[_pid] > 0 ->
		at[_pid]--;
		at[(_pid + 1) % N]++;
		assert(at[(_pid + 1) % N] <= N * EACH)
	   }
	od
}
