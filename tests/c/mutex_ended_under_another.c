// A thread destroys a mutex that another thread holds.
#include <threads.h>

static mtx_t mutex;

static int hold(void *it)
{
    (void)it;
    mtx_lock(&mutex);
    return 0;
}

int main(void)
{
    thrd_t thread;
    mtx_init(&mutex, mtx_plain);
    thrd_create(&thread, hold, 0);
    if (mtx_trylock(&mutex) == thrd_busy) mtx_destroy(&mutex);
    thrd_join(thread, 0);
}
