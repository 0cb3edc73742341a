// Input of 32 bits is tried with some values only; what was found wrong would be wrong, but "holds" is not certain.
#include <assert.h>
int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 10 && x < 20)
        assert(x * 2 < 40);
    return 0;
}
