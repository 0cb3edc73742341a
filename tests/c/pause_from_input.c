/* Whether so many nanoseconds are a time decides what the call gives. */
#include <assert.h>
#include <stdlib.h>
#include <time.h>

int main(void) {
    struct timespec pause = { 0, 0 };
    pause.tv_nsec = rand() % 1000000001;
    assert(nanosleep(&pause, 0) == 0);
    return 0;
}
