#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
static atomic_int x, y; static int r1, r2;
static void *t1(void *p) { atomic_store_explicit(&x, 1, memory_order_release); r1 = atomic_load_explicit(&y, memory_order_acquire); return 0; }
static void *t2(void *p) { atomic_store_explicit(&y, 1, memory_order_release); r2 = atomic_load_explicit(&x, memory_order_acquire); return 0; }
int main(void) { pthread_t t[2]; 
  pthread_create(&t[0], 0, t1, 0);
  pthread_create(&t[1], 0, t2, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  assert(r1 || r2); return 0; }
