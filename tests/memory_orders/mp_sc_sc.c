#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
static atomic_int ready; static int data;
static void *t1(void *p) { data = 42; atomic_store_explicit(&ready, 1, memory_order_seq_cst); return 0; }
static void *t2(void *p) { if (atomic_load_explicit(&ready, memory_order_seq_cst)) { assert(data == 42); } return 0; }
int main(void) { pthread_t t[2]; 
  pthread_create(&t[0], 0, t1, 0);
  pthread_create(&t[1], 0, t2, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
   return 0; }
