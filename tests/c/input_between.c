/* One number lies between two comparisons; in the first the constant is the left operand. */
#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (105 < x && x < 107)
        assert(0);
    return 0;
}
