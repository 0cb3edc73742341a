/* A `_Noreturn` function returns if the thread is not the last. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdnoreturn.h>

static atomic_int left = 2;
static noreturn void finish(void) { if (--left > 0) pthread_exit(0); }
static void *worker(void *arg) { (void)arg; finish(); }

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
