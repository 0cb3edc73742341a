// A thread locks through a pointer: only where the second thread comes first is the assertion violated.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t mutex;
static sem_t semaphore;
static int (*take)(pthread_mutex_t *) = pthread_mutex_trylock;

static void *run(void *arg)
{
    int result = take(&mutex);
    sem_post(&semaphore);
    return (void *)(long)result;
}

int main(void)
{
    pthread_t first, second;
    void *result;
    pthread_mutex_init(&mutex, 0);
    sem_init(&semaphore, 0, 0);
    pthread_create(&first, 0, run, 0);
    pthread_create(&second, 0, run, 0);
    pthread_join(second, 0);
    pthread_join(first, &result);
    assert(result == 0);
    return 0;
}
