/* Every transition executes 200,000 statements. */
int x, y;
proctype P() {
    int i;
    do :: d_step { i = 0; do :: i < 200000 -> i++; x = x + 1 :: else -> break od; i = 0 }; assert(x != 7)
    od
}
init { run P(); run P() }
