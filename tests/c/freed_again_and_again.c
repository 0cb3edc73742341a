/* Much memory in total, but little at a time. */
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    void *p = 0;
    for (int i = 0; i < 4000; i++) {
        p = realloc(p, 40000);
        assert(p);
        free(p);
        p = 0;
    }
    return 0;
}
