#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#include <stdlib.h>
struct o { atomic_int refs; int v; }; static struct o *obj;
static void put(struct o *o) { if (atomic_fetch_sub_explicit(&o->refs, 1, memory_order_release) == 1) { atomic_thread_fence(memory_order_acquire); free(o); } }
static void *t1(void *p) { int v = obj->v; assert(v == 1); put(obj); return 0; }
static void *t2(void *p) { int v = obj->v; assert(v == 1); put(obj); return 0; }
int main(void) { pthread_t t[2]; obj = malloc(sizeof *obj); obj->v = 1; atomic_init(&obj->refs, 2);
  pthread_create(&t[0], 0, t1, 0);
  pthread_create(&t[1], 0, t2, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
   return 0; }
