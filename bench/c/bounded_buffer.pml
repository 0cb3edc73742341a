/* Two producers and two consumers share a buffer of three places; beside bounded_buffer.c. A condition variable is a bit for each that
   waits: a broadcast clears them all, and a wait may end before that. */
#define PLACES 3
#define ITEMS 3
#define lock atomic { locked == 0 -> locked = 1 }
#define unlock locked = 0

byte buffer[PLACES], first, count, locked, ended;

proctype produce(byte value) {
    byte i, at;
    do
    :: i < ITEMS ->
        lock;
        do
        :: count == PLACES -> unlock; lock
        :: else -> break
        od;
        at = first;
        at = (at + count) % PLACES;
        buffer[at] = value;
        at = count;
        count = at + 1;
        skip;
        unlock;
        i++
    :: else -> break
    od;
    ended++
}

proctype consume() {
    byte i, at, value;
    do
    :: i < ITEMS ->
        lock;
        do
        :: count == 0 -> unlock; lock
        :: else -> break
        od;
        at = first;
        value = buffer[at];
        at = first;
        first = (at + 1) % PLACES;
        at = count;
        count = at - 1;
        skip;
        unlock;
        assert(value == 1 || value == 2);
        i++
    :: else -> break
    od;
    ended++
}

init {
    run produce(1);
    run produce(2);
    run consume();
    run consume();
    ended == 4;
    assert(count == 0)
}
