/* The threads read a loop variable of main that continues to change. */
#include <pthread.h>
#define N 2
static int seen[N];
static void *philosopher(void *arg) { int i = *(int *)arg; if (i < N) seen[i] = 1; return 0; }
int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++) pthread_create(&t[i], 0, philosopher, &i);
    for (int i = 0; i < N; i++) pthread_join(t[i], 0);
    return 0;
}
