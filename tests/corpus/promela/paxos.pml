/* Single-decree Paxos: 2 proposers, 3 acceptors, ballots 1..2.
 * Message buffers are sets, hence loss is implied by never receiving. */

#define ACCEPTORS 3
#define PROPOSERS 2
#define MAJORITY  2

typedef Promise { bool sent; byte vbal; byte vval };
typedef Acceptor {
	byte bal;
	byte vbal;
	byte vval;
	Promise p[3]		/* promise per ballot, 1..2 */
};

Acceptor acc[ACCEPTORS];
bool prepare[3];		/* phase 1a sent for ballot b */
byte accept[3];			/* phase 2a value for ballot b, 0 = none */
byte chosen;

proctype proposer(byte b; byte val)
{
	byte i, n, best, v;

	prepare[b] = true;

	/* wait for promises of a majority */
end_wait:
	d_step {
		(acc[0].p[b].sent + acc[1].p[b].sent + acc[2].p[b].sent >= MAJORITY);
		v = val;
		best = 0;
		for (i : 0 .. ACCEPTORS - 1) {
			if
			:: acc[i].p[b].sent && acc[i].p[b].vbal > best ->
				best = acc[i].p[b].vbal;
				v = acc[i].p[b].vval
			:: else
			fi
		}
		accept[b] = v
	}
}

inline promise(b) {
	prepare[b] && acc[me].bal < b ->
	acc[me].bal = b;
	acc[me].p[b].sent = true;
	acc[me].p[b].vbal = acc[me].vbal;
	acc[me].p[b].vval = acc[me].vval
}

inline vote(b) {
	accept[b] != 0 && acc[me].bal <= b && acc[me].vbal != b ->
	acc[me].bal = b;
	acc[me].vbal = b;
	acc[me].vval = accept[b]
}

proctype acceptor(byte me)
{
end:	do
	:: atomic { promise(1) }
	:: atomic { promise(2) }
	:: atomic { vote(1) }
	:: atomic { vote(2) }
	od
}

#define votes(b) ((acc[0].vbal == b) + (acc[1].vbal == b) + (acc[2].vbal == b))

proctype learner()
{
end:	do
	:: atomic { votes(1) >= MAJORITY && chosen != accept[1] ->
		assert(chosen == 0); chosen = accept[1] }
	:: atomic { votes(2) >= MAJORITY && chosen != accept[2] ->
		assert(chosen == 0); chosen = accept[2] }
	od
}

init {
	atomic {
		run acceptor(0); run acceptor(1); run acceptor(2);
		run proposer(1, 10); run proposer(2, 20);
		run learner()
	}
}
