#include <pthread.h>
#define N 3
static pthread_mutex_t fork_[N] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static int meals;
static pthread_mutex_t count = PTHREAD_MUTEX_INITIALIZER;
static void *philosopher(void *arg)
{
    int i = *(int *)arg, j = (i + 1) % N;
    int first = i < j ? i : j, second = i < j ? j : i;
    pthread_mutex_lock(&fork_[first]);
    pthread_mutex_lock(&fork_[second]);
    pthread_mutex_lock(&count);
    meals++;
    pthread_mutex_unlock(&count);
    pthread_mutex_unlock(&fork_[second]);
    pthread_mutex_unlock(&fork_[first]);
    return 0;
}
int main(void)
{
    pthread_t t[N];
    int id[N];
    for (int i = 0; i < N; i++) { id[i] = i; pthread_create(&t[i], 0, philosopher, &id[i]); }
    for (int i = 0; i < N; i++) pthread_join(t[i], 0);
    return meals == N ? 0 : 1;
}
