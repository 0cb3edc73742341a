/* A long loop of local steps without access to shared memory. */
#include <assert.h>
int main(void) {
    unsigned long x = 1;
    for (unsigned long i = 0; i < 4000000000UL; i++) x = x * 3 + i;
    assert(x != 7);
    return 0;
}
