/* The result of `localtime` is overwritten by the next call, even by one that only prints the time. */
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
