// An input that conditions restrict to a small range: every value is explored.
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100)
        abort();
    int sum = 0;
    for (int i = 1; i <= n; i++)
        sum += i;
    assert(sum == n * (n + 1) / 2);
    return 0;
}
