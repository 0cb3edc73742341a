/* The validity of the nanosecond count determines the result of the call. */
#include <assert.h>
#include <stdlib.h>
#include <time.h>

int main(void) {
    struct timespec pause = { 0, 0 };
    pause.tv_nsec = rand() % 1000000001;
    assert(nanosleep(&pause, 0) == 0);
    return 0;
}
