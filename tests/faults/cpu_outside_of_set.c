/* A number outside of the set of processors is ignored. */
#define _GNU_SOURCE
#include <sched.h>
#include <assert.h>
int main(void) {
    cpu_set_t s;
    CPU_ZERO(&s);
    for (int i = -1; i < 1030; i += 100) CPU_SET(i, &s);
    CPU_SET(3, &s);
    CPU_SET(1024, &s);
    assert(CPU_ISSET(3, &s) && CPU_ISSET(99, &s) && !CPU_ISSET(4, &s) && !CPU_ISSET(5000, &s));
    CPU_CLR(99, &s); CPU_CLR(9999, &s);
    assert(!CPU_ISSET(99, &s));
    return 0;
}
