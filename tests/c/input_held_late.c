/* A thread exists before the variable is restricted, and may read any input: more than the table has entries. */
#include <stdlib.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int place;
static int table[4];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *look(void *arg)
{
    pthread_mutex_lock(&lock);
    table[place] = 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, look, 0);
    pthread_mutex_lock(&lock);
    place = __VERIFIER_nondet_int();
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    int fine = place >= 0 && place < 4;
    pthread_mutex_unlock(&lock);
    if (!fine)
        abort();
    pthread_join(t, 0);
    return 0;
}
