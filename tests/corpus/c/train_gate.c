/* Railway crossing: gate keeper sleeps until a train rings the bell. */
#include <pthread.h>
#include <stdio.h>
#include <stdbool.h>

static pthread_mutex_t line = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t  bell = PTHREAD_COND_INITIALIZER;
static pthread_cond_t  gate_closed = PTHREAD_COND_INITIALIZER;

static bool gate_is_closed = false;

static void *keeper(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&line);
    /* asleep until the bell rings */
    pthread_cond_wait(&bell, &line);
    gate_is_closed = true;
    printf("gate closed\n");
    pthread_cond_signal(&gate_closed);
    pthread_mutex_unlock(&line);
    return NULL;
}

static void *train(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&line);
    printf("train approaches\n");
    pthread_cond_signal(&bell);
    while (!gate_is_closed)
        pthread_cond_wait(&gate_closed, &line);
    printf("train passes\n");
    pthread_mutex_unlock(&line);
    return NULL;
}

int main(void)
{
    pthread_t k, t;

    pthread_create(&k, NULL, keeper, NULL);
    pthread_create(&t, NULL, train, NULL);
    pthread_join(t, NULL);
    pthread_join(k, NULL);
    return 0;
}
