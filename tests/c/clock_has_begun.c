/* The wall clocks have large values; the CPU-time clock starts at zero. */
#include <assert.h>
#include <sys/time.h>
#include <time.h>

int main(void) {
    struct timespec now;
    struct timeval same;
    time_t seconds = 0;
    assert(time(&seconds) > 1600000000 && seconds == time(0));
    assert(clock_gettime(CLOCK_REALTIME, &now) == 0 && now.tv_sec >= seconds && now.tv_nsec >= 0);
    assert(gettimeofday(&same, 0) == 0 && same.tv_sec == now.tv_sec);
    assert(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) == 0 && now.tv_sec == 0);
    assert(clock() < CLOCKS_PER_SEC);
    return 0;
}
