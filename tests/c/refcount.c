#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <assert.h>
struct object { atomic_int refs; int value; };
static void put(struct object *o) { if (atomic_fetch_sub(&o->refs, 1) == 1) free(o); }
static void *user(void *arg)
{
    struct object *o = arg;
    assert(o->value == 5);
    put(o);
    return 0;
}
int main(void)
{
    struct object *o = malloc(sizeof *o);
    atomic_init(&o->refs, 3);
    o->value = 5;
    pthread_t a, b;
    pthread_create(&a, 0, user, o);
    pthread_create(&b, 0, user, o);
    put(o);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
