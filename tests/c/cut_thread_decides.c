/* A thread id truncated to `int` may be any number. */
#include <pthread.h>
#include <assert.h>
static int owner;
int main(void)
{
    int me = (int)pthread_self();
    assert(!__sync_bool_compare_and_swap(&owner, me, 0));
    return 0;
}
