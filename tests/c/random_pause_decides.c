/* The random pause is also the loop bound. */
#include <assert.h>
#include <stdlib.h>
#include <time.h>

int main(void) {
    struct timespec pause = { 0 };
    int long_ones = 0;
    for (int i = 0; i < 2; i++) {
        pause.tv_nsec = (rand() % 10 + 1) * 1000000;
        nanosleep(&pause, NULL);
        if (pause.tv_nsec > 9000000)
            long_ones++;
    }
    assert(long_ones < 2);
    return 0;
}
