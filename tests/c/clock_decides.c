/* The decision depends not on the result of the call but on the stored time. */
#include <time.h>

int main(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec > 5 ? 1 : 0;
}
