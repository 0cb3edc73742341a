#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    unsigned hash = 0;
    for (;;) {
        unsigned char c = __VERIFIER_nondet_uchar();
        hash = hash * 33 + c;
        assert(hash != 0xdeadbeef || c != 7);
    }
}
