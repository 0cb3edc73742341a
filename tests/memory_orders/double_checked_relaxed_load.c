#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static _Atomic(int *) p; static int v;
static int *get(void) { int *q = atomic_load_explicit(&p, memory_order_relaxed); if (!q) { pthread_mutex_lock(&m); q = atomic_load_explicit(&p, memory_order_relaxed); if (!q) { v = 7; q = &v; atomic_store_explicit(&p, q, memory_order_release); } pthread_mutex_unlock(&m); } return q; }
static void *t1(void *a) { assert(*get() == 7); return 0; }
static void *t2(void *a) { assert(*get() == 7); return 0; }
int main(void) { pthread_t t[2]; 
  pthread_create(&t[0], 0, t1, 0);
  pthread_create(&t[1], 0, t2, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
   return 0; }
