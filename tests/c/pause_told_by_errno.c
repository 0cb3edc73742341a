/* The duration of a sleep is irrelevant unless it is invalid: `errno` shows this even if the result is ignored. */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <time.h>

int main(void) {
    struct timespec pause = { 0, 0 };
    pause.tv_nsec = rand() % 1500000000;
    errno = 0;
    nanosleep(&pause, 0);
    assert(errno == 0);
    return 0;
}
