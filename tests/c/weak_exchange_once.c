/* A weak compare-and-exchange may fail spuriously (C11 7.17.7.4): it belongs in a loop. */
#include <assert.h>
#include <stdatomic.h>

int main(void)
{
    atomic_int owner = 0;
    int none = 0;
    atomic_compare_exchange_weak(&owner, &none, 1);
    assert(owner == 1);
    return 0;
}
