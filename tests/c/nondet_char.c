extern unsigned char __VERIFIER_nondet_uchar(void);
#include <assert.h>
int main(void)
{
    unsigned char c = __VERIFIER_nondet_uchar();
    assert((c ^ 0x5a) != 0x13);
    return 0;
}
