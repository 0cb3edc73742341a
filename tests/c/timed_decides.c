/* The time decides how often the loop goes round, so one value of it is not all. */
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
