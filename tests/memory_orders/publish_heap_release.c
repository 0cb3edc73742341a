#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#include <stdlib.h>
struct n { int v; }; static _Atomic(struct n *) head;
static void *t1(void *p) { struct n *q = malloc(sizeof *q); q->v = 3; atomic_store_explicit(&head, q, memory_order_release); return 0; }
static void *t2(void *p) { struct n *q = atomic_load_explicit(&head, memory_order_acquire); if (q) assert(q->v == 3); return 0; }
int main(void) { pthread_t t[2]; 
  pthread_create(&t[0], 0, t1, 0);
  pthread_create(&t[1], 0, t2, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
   return 0; }
