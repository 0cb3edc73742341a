/* The duration of a sleep is irrelevant. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static int done;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *arg)
{
    usleep(rand() % 1000);
    __asm__ __volatile__("" ::: "memory");
    pthread_mutex_lock(&m);
    done++;
    pthread_mutex_unlock(&m);
    sleep(1 + rand() % 3);
    return arg;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    assert(done == 2);
    return 0;
}
