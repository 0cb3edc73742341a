#include <pthread.h>
#include <semaphore.h>
static sem_t done;
static void *f(void *a) { sem_post(&done); return 0; }
int main(void)
{
    pthread_t t;
    pthread_attr_t attr;
    sem_init(&done, 0, 0);
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_create(&t, &attr, f, 0);
    pthread_attr_destroy(&attr);
    sem_wait(&done);
    return 0;
}
