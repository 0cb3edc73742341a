#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
static atomic_int x; static int a, b;
static void *t1(void *p) { atomic_store_explicit(&x, 1, memory_order_relaxed); atomic_store_explicit(&x, 2, memory_order_relaxed); return 0; }
static void *t2(void *p) { a = atomic_load_explicit(&x, memory_order_relaxed); b = atomic_load_explicit(&x, memory_order_relaxed); return 0; }
int main(void) { pthread_t t[2]; 
  pthread_create(&t[0], 0, t1, 0);
  pthread_create(&t[1], 0, t2, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  assert(a <= b); return 0; }
