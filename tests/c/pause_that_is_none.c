/* Sleeping for an invalid time, or on an invalid clock, fails at once. */
#include <assert.h>
#include <errno.h>
#include <time.h>

int main(void) {
    struct timespec none[3] = { { 0, 1000000000 }, { 1, -1 }, { 0, 2000000000 } }, some = { 0, 999999999 };
    for (int i = 0; i < 3; i++) {
        errno = 0;
        assert(nanosleep(&none[i], 0) == -1 && errno == EINVAL);
        assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &none[i], 0) == EINVAL);
        assert(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &none[i], 0) == EINVAL);
    }
    assert(nanosleep(&some, 0) == 0);
    assert(clock_nanosleep(CLOCK_REALTIME, 0, &some, 0) == 0);
    assert(clock_nanosleep(4711, 0, &some, 0) == EINVAL);
    assert(clock_getres(4711, &some) == -1 && clock_getres(-1, &some) == -1);
    assert(clock_nanosleep(-4711, 0, &some, 0) == EINVAL);
    return 0;
}
