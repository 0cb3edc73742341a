/* The data is written after its pointer is published. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
static int data;
static int *_Atomic shared;
static void *writer(void *a) { atomic_store(&shared, &data); data = 7; return 0; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    int *p = atomic_load(&shared);
    int v = p ? *p : 0;
    pthread_join(t, 0);
    return v > 7;
}
