/* The calendar that `localtime` gives is changed by the next call, even one that only shows what time it is. */
#include <assert.h>
#include <stdio.h>
#include <time.h>

static void say(const char *what) {
    time_t now = time(0);
    struct tm *at = localtime(&now);
    printf("[%02d:%02d] %s\n", at->tm_hour, at->tm_min, what);
}

int main(void) {
    time_t birth = 86400;
    struct tm *then = gmtime(&birth);
    say("looking");
    assert(then->tm_year == 123);
    return 0;
}
