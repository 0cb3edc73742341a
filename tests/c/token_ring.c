#include <pthread.h>
#include <semaphore.h>
#include <assert.h>
#define N 3
static sem_t token[N];
static int holder = 0, rounds[N];
static void *node(void *p)
{
    int i = (int)(long)p;
    for (int r = 0; r < 2; r++) {
        sem_wait(&token[i]);
        assert(holder == i);
        rounds[i]++;
        holder = (i + 1) % N;
        sem_post(&token[holder]);
    }
    return 0;
}
int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++) sem_init(&token[i], 0, i == 0);
    for (long i = 0; i < N; i++) pthread_create(&t[i], 0, node, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(t[i], 0);
    for (int i = 0; i < N; i++) assert(rounds[i] == 2);
    return 0;
}
