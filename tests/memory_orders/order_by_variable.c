#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
static atomic_int ready; static int data, order = memory_order_seq_cst;
static void *t1(void *p) { data = 1; atomic_store_explicit(&ready, 1, order); return 0; }
static void *t2(void *p) { if (atomic_load_explicit(&ready, order)) assert(data); return 0; }
int main(void) { pthread_t t[2]; 
  pthread_create(&t[0], 0, t1, 0);
  pthread_create(&t[1], 0, t2, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
   return 0; }
