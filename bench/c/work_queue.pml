/* Three processes take work items from a list under a lock and sum their results; compare work_queue.c. */
#define WORKERS 3
#define PIECES 30

byte work[PIECES], next, sum, queue, total, ended;

proctype worker() {
    byte at, done;
    do
    :: atomic { queue == 0 -> queue = 1 };
        if
        :: next < PIECES ->
            at = next;
            next++
        :: else -> at = 255
        fi;
        queue = 0;
        if :: at == 255 -> break :: else fi;
        done = work[at];
        at = 0;
        atomic { total == 0 -> total = 1 };
        sum = sum + done;
        done = 0;
        total = 0
    od;
    ended++
}

init {
    byte i;
    d_step {
        do
        :: i < PIECES -> work[i] = i % 3 + 1; i++
        :: else -> break
        od
    }
    run worker();
    run worker();
    run worker();
    ended == WORKERS;
    assert(sum == 2 * PIECES)
}
