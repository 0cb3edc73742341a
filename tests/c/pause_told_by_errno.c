/* How long a thread sleeps comes to nothing, but where it is no time: `errno` says so, whoever ignores the answer. */
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
