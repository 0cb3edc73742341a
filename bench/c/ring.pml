/* Leader election (Chang and Roberts) on a ring of six nodes; compare ring.c. */
#define NODES 6

byte link_value[NODES], link_full[NODES], leaders, ended, numbers[NODES];

inline put(at, value) {
    do :: link_full[at] == 0 -> break :: else od;
    link_value[at] = value;
    link_full[at] = 1
}

inline take(at) {
    do :: link_full[at] -> break :: else od;
    got = link_value[at];
    link_full[at] = 0
}

proctype node(byte me; byte mine) {
    byte next = (me + 1) % NODES;
    byte got;
    put(next, mine);
    do
    :: take(me);
        if
        :: got == 0 -> put(next, 0); break
        :: got > mine -> put(next, got)
        :: got == mine ->
            leaders++;
            assert(leaders == 1 && got == NODES);
            put(next, 0);
            take(me);
            break
        :: else
        fi
    od;
    ended++
}

init {
    run node(0, 2);
    run node(1, 5);
    run node(2, 1);
    run node(3, 4);
    run node(4, 3);
    run node(5, 6);
    ended == NODES
}
