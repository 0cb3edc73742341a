/* A d_step of more than 2^20 statements was reported as an endless sequence, although it ends. */
int x;
active proctype P() {
    int i;
    d_step { do :: i < 1200000 -> i++; x = x + i :: else -> break od }
    assert(i == 1200000)
}
