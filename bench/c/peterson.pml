/* Peterson's lock for two processes, acquired repeatedly; compare peterson.c. */
#define ROUNDS 200

byte wants[2], turn, inside, ended;

proctype visit(byte me) {
    byte i;
    do
    :: i < ROUNDS ->
        wants[me] = 1;
        turn = 1 - me;
        do
        :: wants[1 - me] == 0 -> break
        :: else -> if :: turn != 1 - me -> break :: else fi
        od;
        inside++;
        assert(inside == 1);
        inside--;
        wants[me] = 0;
        i++
    :: else -> break
    od;
    ended++
}

init {
    run visit(0);
    run visit(1);
    ended == 2
}
