/* `exit` is called through a pointer: which of the functions that end a program it is cannot be told. */
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
