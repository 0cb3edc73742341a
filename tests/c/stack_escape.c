/* The thread gets a pointer to a local variable of a function that returns. */
#include <pthread.h>
static void *child(void *arg) { return (void *)(long)*(int *)arg; }
static void start(pthread_t *t) { int local = 1; pthread_create(t, 0, child, &local); }
int main(void)
{
    pthread_t t;
    start(&t);
    pthread_join(t, 0);
    return 0;
}
