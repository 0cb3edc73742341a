/* `atoi` of a value that does not fit in int is undefined (C11 7.22.1p1). */
#include <stdlib.h>

int main(void)
{
    return atoi("2147483648") == 0;
}
