/* A thread id is only printed: completely, truncated to `int`, and as text. */
#include <pthread.h>
#include <stdio.h>
static void show(unsigned number) { printf("%u\n", number); }
static void *work(void *arg)
{
    printf("%lu %#lx %ld\n", pthread_self(), (unsigned long)pthread_self(), (long)pthread_self());
    show((unsigned)pthread_self());
    fprintf(stderr, "%d\n", (int)(long)arg);
    return 0;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, &t);
    pthread_join(t, 0);
    return 0;
}
