#include <pthread.h>
#define N 3
static pthread_mutex_t fork_[N] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static void *philosopher(void *arg)
{
    int i = *(int *)arg;
    pthread_mutex_lock(&fork_[i]);
    pthread_mutex_lock(&fork_[(i + 1) % N]);
    pthread_mutex_unlock(&fork_[(i + 1) % N]);
    pthread_mutex_unlock(&fork_[i]);
    return 0;
}
int main(void)
{
    pthread_t t[N];
    int id[N];
    for (int i = 0; i < N; i++) { id[i] = i; pthread_create(&t[i], 0, philosopher, &id[i]); }
    for (int i = 0; i < N; i++) pthread_join(t[i], 0);
    return 0;
}
