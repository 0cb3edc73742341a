/* An atomic sequence of more than 2^20 statements was reported as endless, although it ends. */
int x;
active proctype P() {
    int i;
    atomic { do :: i < 600000 -> i++; if :: x = 1 :: x = 2 fi; x = 0 :: else -> break od }
    assert(i == 600000)
}
