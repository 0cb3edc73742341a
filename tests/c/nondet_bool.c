extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);
#include <assert.h>
int main(void)
{
    int a = 0, b = 0;
    if (__VERIFIER_nondet_bool()) a = 1; else b = 1;
    if (__VERIFIER_nondet_int()) a += 2;
    assert(a + b >= 1 && a + b <= 3);
    return 0;
}
