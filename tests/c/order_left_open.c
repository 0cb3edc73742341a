/* Two calls in unspecified order: the report warns that one order was executed. */
#include <assert.h>
static int count;
static int next(void) { return ++count; }
static int twice(void) { count *= 2; return count; }
int main(void)
{
    int sum = next() + twice();
    assert(sum == 3);
    return 0;
}
