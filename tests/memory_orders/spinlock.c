#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
static atomic_flag f = ATOMIC_FLAG_INIT; static int x;
static void lock(void) { while (atomic_flag_test_and_set_explicit(&f, memory_order_acquire)) ; }
static void unlock(void) { atomic_flag_clear_explicit(&f, memory_order_release); }
static void *t1(void *p) { lock(); x++; unlock(); return 0; }
static void *t2(void *p) { lock(); x++; unlock(); return 0; }
int main(void) { pthread_t t[2]; 
  pthread_create(&t[0], 0, t1, 0);
  pthread_create(&t[1], 0, t2, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  assert(x == 2); return 0; }
