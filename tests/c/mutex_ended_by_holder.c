// C11 lets the thread that has a mutex end it, where nobody waits.
#include <assert.h>
#include <threads.h>

static mtx_t mutex;

int main(void)
{
    for (int i = 0; i < 2; i++) {
        mtx_init(&mutex, mtx_plain | mtx_recursive);
        assert(mtx_lock(&mutex) == thrd_success);
        assert(mtx_lock(&mutex) == thrd_success);
        mtx_destroy(&mutex);
    }
}
