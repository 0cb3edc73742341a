/* `exit` is called through a pointer: the analysis cannot determine which terminating function it is. */
#include <stdlib.h>

static void tidy(void)
{
}

int main(void)
{
    void (*end)(int) = exit;
    if (atexit(tidy))
        return 1;
    end(0);
}
