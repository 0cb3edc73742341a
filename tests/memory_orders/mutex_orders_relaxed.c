#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static atomic_int x, y; static int d;
static void *t1(void *p) { pthread_mutex_lock(&m); d++; atomic_store_explicit(&x, d, memory_order_relaxed); atomic_store_explicit(&y, d, memory_order_relaxed); pthread_mutex_unlock(&m); return 0; }
static void *t2(void *p) { pthread_mutex_lock(&m); d++; atomic_store_explicit(&y, d, memory_order_relaxed); atomic_store_explicit(&x, d, memory_order_relaxed); pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t[2]; 
  pthread_create(&t[0], 0, t1, 0);
  pthread_create(&t[1], 0, t2, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  assert(x == 2 && y == 2); return 0; }
