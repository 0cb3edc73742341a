/* C11 asks that who releases a mutex holds it, whatever its type. */
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
