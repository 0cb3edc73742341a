// Input of 32 bits that is computed with is tried with some values only; what was found wrong would be wrong, but "holds"
// is not certain.
#include <assert.h>
int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 10)
        assert(x / 2 >= 5);
    return 0;
}
