#include <assert.h>
int x, c = 4;
int main(void) { __atomic_store_n(&x, 1, ++c); assert(c == 5); __atomic_thread_fence(++c); assert(c == 6); int e = 1; __atomic_compare_exchange_n(&x, &e, 2, 0, ++c, 0); assert(c == 7 && x == 2); return 0; }
