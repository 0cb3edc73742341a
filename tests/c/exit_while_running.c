/* exit ends all threads at any point of their execution. */
#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
static atomic_int n;
static void *f(void *p) { for (;;) atomic_fetch_xor(&n, 1); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); exit(0); }
