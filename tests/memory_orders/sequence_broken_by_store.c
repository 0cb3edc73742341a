#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
static atomic_int s; static int data;
static void *t1(void *p) { data = 1; atomic_store_explicit(&s, 1, memory_order_release); return 0; }
static void *t2(void *p) { if (atomic_load_explicit(&s, memory_order_relaxed) == 1) atomic_store_explicit(&s, 2, memory_order_relaxed); return 0; }
static void *t3(void *p) { if (atomic_load_explicit(&s, memory_order_acquire) == 2) assert(data == 1); return 0; }
int main(void) { pthread_t t[3]; 
  pthread_create(&t[0], 0, t1, 0);
  pthread_create(&t[1], 0, t2, 0);
  pthread_create(&t[2], 0, t3, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  pthread_join(t[2], 0);
   return 0; }
