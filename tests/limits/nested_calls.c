/* Deep recursion in one step, exponentially many calls. */
#include <assert.h>
static unsigned fib(unsigned n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(void) { assert(fib(60) != 3); return 0; }
