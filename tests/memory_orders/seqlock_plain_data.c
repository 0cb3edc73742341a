#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
static atomic_int seq; static int d1, d2;
static void *t1(void *p) { atomic_store_explicit(&seq, 1, memory_order_relaxed); atomic_thread_fence(memory_order_release); d1 = 1; d2 = 1; atomic_store_explicit(&seq, 2, memory_order_release); return 0; }
static void *t2(void *p) { int s = atomic_load_explicit(&seq, memory_order_acquire); int a = d1, b = d2; if (!(s & 1) && atomic_load_explicit(&seq, memory_order_acquire) == s) assert(a == b); return 0; }
int main(void) { pthread_t t[2]; 
  pthread_create(&t[0], 0, t1, 0);
  pthread_create(&t[1], 0, t2, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
   return 0; }
