/* Five philosophers who take the lower fork first and eat twice; compare philosophers.c. */
#define SEATS 5
#define MEALS 2

byte fork_[SEATS], user[SEATS], ended;

proctype dine(byte me) {
    byte low = (me < SEATS - 1 -> me : 0), high = (me < SEATS - 1 -> me + 1 : SEATS - 1), i;
    do
    :: i < MEALS ->
        atomic { fork_[low] == 0 -> fork_[low] = 1 };
        atomic { fork_[high] == 0 -> fork_[high] = 1 };
        user[low] = me;
        user[high] = me;
        assert(user[low] == me);
        fork_[high] = 0;
        fork_[low] = 0;
        i++
    :: else -> break
    od;
    ended++
}

init {
    run dine(0);
    run dine(1);
    run dine(2);
    run dine(3);
    run dine(4);
    ended == SEATS
}
