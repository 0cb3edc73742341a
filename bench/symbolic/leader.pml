/* The leader election of Dolev, Klawe and Rodeh in a ring of N nodes, for all assignments of numbers to nodes, repeated ones
   included (the nondeterministic leader election of the IMPROVISO paper; the source of its model is not known). */
#ifndef N
#define N 3
#endif

mtype = { one, two, winner };
chan q[N] = [2 * N] of { mtype, byte };

active [N] proctype node()
{
    bit active_ = 1, knows = 0;
    byte mynumber, maximum, nr, left;

    atomic { select(mynumber : 0 .. N - 1); maximum = mynumber };
    q[(_pid + 1) % N]!one(mynumber);
end:
    do
    :: q[_pid]?one(nr) ->
        if
        :: active_ ->
            if
            :: nr != maximum -> q[(_pid + 1) % N]!two(nr); left = nr
            :: else -> knows = 1; q[(_pid + 1) % N]!winner, nr
            fi
        :: else -> q[(_pid + 1) % N]!one(nr)
        fi
    :: q[_pid]?two(nr) ->
        if
        :: active_ ->
            if
            :: left > nr && left > maximum -> maximum = left; q[(_pid + 1) % N]!one(left)
            :: else -> active_ = 0
            fi
        :: else -> q[(_pid + 1) % N]!two(nr)
        fi
    :: q[_pid]?winner, nr ->
        if
        :: knows
        :: else -> q[(_pid + 1) % N]!winner, nr
        fi;
        break
    od;
endx:
    false
}
