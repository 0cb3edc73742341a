/* Seventeen blocks of one megabyte each: such wide states are encoded in one pass. */
#include <stdlib.h>
#include <string.h>

static char *block[17];
int main(void)
{
    for (int i = 0; i < 17; i++) {
        block[i] = malloc(1 << 20);
        if (!block[i]) return 0;
        memset(block[i], -1, 1 << 20);
    }
    for (int i = 0; i < 17; i++) free(block[i]);
    return 0;
}
