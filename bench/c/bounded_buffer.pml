/* Two producers and two consumers share a buffer of three slots; compare bounded_buffer.c. A condition variable is a bit per waiting
   process: a broadcast clears all bits, and spurious wakeups are possible. */
#define PLACES 3
#define ITEMS 5
#define lock atomic { locked == 0 -> locked = 1 }
#define unlock locked = 0

byte buffer[PLACES], first, count, locked, ended;

proctype produce(byte value) {
    byte i;
    do
    :: i < ITEMS ->
        lock;
        do
        :: count == PLACES -> unlock; lock
        :: else -> break
        od;
        buffer[(first + count) % PLACES] = value;
        count++;
        unlock;
        i++
    :: else -> break
    od;
    ended++
}

proctype consume() {
    byte i, value;
    do
    :: i < ITEMS ->
        lock;
        do
        :: count == 0 -> unlock; lock
        :: else -> break
        od;
        value = buffer[first];
        first = (first + 1) % PLACES;
        count--;
        unlock;
        assert(value == 1 || value == 2);
        value = 0;
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
