/* Two threads create threads: the thread-local variables of the new threads do not race. */
#include <pthread.h>
#include <stdlib.h>
static _Thread_local int own;
static void *leaf(void *arg) { own++; return arg; }
static void *branch(void *arg)
{
    pthread_t t;
    char *block = realloc(calloc(1, 4), 8);
    free(block);
    pthread_create(&t, 0, leaf, 0);
    pthread_join(t, 0);
    return arg;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, branch, 0);
    pthread_create(&b, 0, branch, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return own;
}
