/* A thread that prints a value in an infinite loop is not a spin loop. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static int counter;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *monitor(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&m);
        printf("%d\n", counter);
        pthread_mutex_unlock(&m);
        sleep(1);
    }
    return arg;
}
static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    counter++;
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, monitor, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(b, 0);
    pthread_join(a, 0);
    return 0;
}
