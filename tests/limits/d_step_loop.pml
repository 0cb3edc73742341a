/* One transition of a billion statements. */
int x;
active proctype P() {
    int i;
    d_step { do :: i < 1000000000 -> i++; x = x + i :: else -> break od }
    assert(x != 1)
}
