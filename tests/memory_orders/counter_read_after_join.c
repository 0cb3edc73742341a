#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
static atomic_int n, m;
static void *t1(void *p) { atomic_fetch_add_explicit(&n, 1, memory_order_relaxed); atomic_fetch_add_explicit(&m, 2, memory_order_relaxed); return 0; }
static void *t2(void *p) { atomic_fetch_sub_explicit(&m, 1, memory_order_relaxed); atomic_fetch_add_explicit(&n, 1, memory_order_relaxed); return 0; }
int main(void) { pthread_t t[2]; 
  pthread_create(&t[0], 0, t1, 0);
  pthread_create(&t[1], 0, t2, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  assert(n == 2 && m == 1); return 0; }
