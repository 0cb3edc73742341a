/* Long atomic sequences with 2^60 paths between two states. */
int x, y;
active [2] proctype P() {
    int i;
    do
    :: atomic {
        i = 0;
        do
        :: i < 1000000 -> i++; if :: x = x + i :: y = y * 3 + i :: skip fi
        :: else -> break
        od;
        assert(x + y != 77)
       }
    od
}
