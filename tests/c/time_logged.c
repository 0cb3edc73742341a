/* The current calendar time is only printed. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void say(const char *what) {
    time_t now;
    struct tm *at, copy;
    pthread_mutex_lock(&lock);
    now = time(0);
    at = localtime(&now);
    if (at == NULL)
        printf("[?] ");
    else
        printf("[%02d:%02d:%02d] ", at->tm_hour, at->tm_min, at->tm_sec);
    gmtime_r(&now, &copy);
    printf("%d: ", copy.tm_year + 1900);
    puts(what);
    pthread_mutex_unlock(&lock);
}

static void *work(void *unused) {
    say("working");
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    say("waiting");
    pthread_join(thread, 0);
    return 0;
}
