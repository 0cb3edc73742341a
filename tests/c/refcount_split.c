/* Decrement and test are two steps: two threads may both see zero, or one may read after the other has freed. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct object { atomic_int refs; };
static void put(struct object *o)
{
    atomic_fetch_sub(&o->refs, 1);
    if (atomic_load(&o->refs) == 0) free(o);
}
static void *user(void *arg) { put(arg); return 0; }
int main(void)
{
    struct object *o = malloc(sizeof *o);
    atomic_init(&o->refs, 2);
    pthread_t a;
    pthread_create(&a, 0, user, o);
    put(o);
    pthread_join(a, 0);
    return 0;
}
