/* A program with a signal handler that opens a file is searched; other violations are found. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void stop(int number) {
    (void)number;
    exit(0);
}

static void *work(void *log) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    fprintf(log, "both\n");
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return 0;
}

int main(void) {
    pthread_t thread;
    signal(SIGINT, stop);
    FILE *log = fopen("log", "w");
    if (!log)
        return 1;
    pthread_create(&thread, 0, work, log);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_join(thread, 0);
    fclose(log);
    return 0;
}
