/* The time determines the loop bound, so one value does not represent all. */
#include <time.h>

static int rounds(time_t end)
{
    int n = 0;
    while (time(NULL) < end && n < 3)
        n++;
    return n;
}

int main(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return rounds(now.tv_sec + 60) == 7;
}
