#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
static atomic_int x, y; static int a, b, c, d;
static void *t1(void *p) { atomic_store_explicit(&x, 1, memory_order_release); return 0; }
static void *t2(void *p) { atomic_store_explicit(&y, 1, memory_order_release); return 0; }
static void *t3(void *p) { a = atomic_load_explicit(&x, memory_order_acquire); b = atomic_load_explicit(&y, memory_order_acquire); return 0; }
static void *t4(void *p) { c = atomic_load_explicit(&y, memory_order_acquire); d = atomic_load_explicit(&x, memory_order_acquire); return 0; }
int main(void) { pthread_t t[4]; 
  pthread_create(&t[0], 0, t1, 0);
  pthread_create(&t[1], 0, t2, 0);
  pthread_create(&t[2], 0, t3, 0);
  pthread_create(&t[3], 0, t4, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  pthread_join(t[2], 0);
  pthread_join(t[3], 0);
  assert(!(a && !b && c && !d)); return 0; }
