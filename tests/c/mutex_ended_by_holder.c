// In C11 the holder of a mutex may destroy it if no thread waits for it.
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
