/* In C11 a mutex of any type must be held by the thread that unlocks it. */
#include <threads.h>

int main(void) {
    mtx_t lock;
    mtx_init(&lock, mtx_plain | mtx_recursive);
    mtx_lock(&lock);
    mtx_lock(&lock);
    mtx_unlock(&lock);
    mtx_unlock(&lock);
    mtx_unlock(&lock);
    mtx_destroy(&lock);
    return 0;
}
