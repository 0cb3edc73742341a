/* `assert` without its header, as in programs written for other verifiers. */
int x = 1;

int main(void) {
    __VERIFIER_assume(x > 0);
    assert(x == 1);
    x++;
    assert(x == 1);
    return 0;
}
