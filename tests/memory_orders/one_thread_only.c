#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
static atomic_int x, y; static int done;
static void *t1(void *p) { atomic_store_explicit(&x, 1, memory_order_relaxed); assert(atomic_load_explicit(&x, memory_order_relaxed) == 1); return 0; }
static void *t2(void *p) { atomic_store_explicit(&y, 1, memory_order_relaxed); assert(atomic_load_explicit(&y, memory_order_relaxed) == 1); return 0; }
int main(void) { pthread_t t[2]; 
  pthread_create(&t[0], 0, t1, 0);
  pthread_create(&t[1], 0, t2, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
   return 0; }
