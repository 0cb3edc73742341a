// A 32-bit input used in arithmetic is explored for sample values only: a reported violation is real, but the verdict "holds"
// is not possible.
#include <assert.h>
int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 10)
        assert(x / 2 >= 5);
    return 0;
}
