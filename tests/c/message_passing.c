#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
static int data;
static atomic_int ready;
static void *writer(void *a) { data = 7; atomic_store_explicit(&ready, 1, memory_order_release); return 0; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    if (atomic_load_explicit(&ready, memory_order_acquire)) assert(data == 7);
    pthread_join(t, 0);
    return 0;
}
