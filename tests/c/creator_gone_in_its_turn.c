/* A thread creates another, ends, is joined, and its slot is reused, all within one transition. */
#include <pthread.h>

static void *work(void *argument)
{
    return *(int *)argument == 1 ? argument : 0;
}

static void *create(void *unused)
{
    pthread_t thread;
    int value = 1;
    pthread_create(&thread, 0, work, &value);
    pthread_join(thread, 0);
    return unused;
}

int main(void)
{
    for (int round = 0; round < 2; round++) {
        pthread_t thread;
        pthread_create(&thread, 0, create, 0);
        create(0);
        pthread_join(thread, 0);
    }
    return 0;
}
