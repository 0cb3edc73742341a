/* Two remainders: the first number from 1000 on that satisfies both is 1005. */
#include <assert.h>

unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    if (x >= 1000)
        if (x % 2 == 1)
            assert(x % 3 != 0);
    return 0;
}
