// The slot is counted before it is filled, so the loop may call a null handler.
#include <pthread.h>
#include <stdatomic.h>
typedef void (*handler)(void);
static _Atomic(handler) queue[2];
static atomic_int tail;
static void nothing(void) {}
static void *poster(void *arg) {
    int at = atomic_fetch_add(&tail, 1);
    atomic_store(&queue[at], nothing);
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, poster, 0);
    if (atomic_load(&tail) == 1) {
        handler h = atomic_load(&queue[0]);
        h();
    }
    pthread_join(t, 0);
    return 0;
}
