/* What decides is not the result of the call but what it has stored. */
#include <time.h>

int main(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec > 5 ? 1 : 0;
}
