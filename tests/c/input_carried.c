/* The input is stored in a variable under a lock and printed: its value does not influence the behaviour. */
#include <stdio.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int latest;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *measure(void *arg)
{
    (void)arg;
    for (int i = 0; i < 2; i++) {
        int value = __VERIFIER_nondet_int();
        pthread_mutex_lock(&lock);
        latest = value;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, measure, 0);
    pthread_create(&b, 0, measure, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("%d\n", latest);
    return latest;
}
