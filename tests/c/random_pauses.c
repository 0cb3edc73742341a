/* The pause of each thread depends only on `rand`, through a variable, and is printed. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void take_a_pause(void) {
    struct timespec pause = { 0 };
    pause.tv_nsec = (rand() % 10 + 1) * 1000000;
    printf("a pause of %ld\n", pause.tv_nsec);
    nanosleep(&pause, NULL);
}

static void *count(void *unused) {
    for (int i = 0; i < 3; i++) {
        take_a_pause();
        pthread_mutex_lock(&lock);
        counter++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, count, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(counter == 9);
    return 0;
}
