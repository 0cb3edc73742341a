#include <stdlib.h>
struct old { int n; int items[1]; };
int main(void)
{
    struct old *o = malloc(sizeof *o + 3 * sizeof(int));
    for (int i = 0; i < 4; i++) o->items[i] = i;
    int r = o->items[3] - 3;
    free(o);
    return r;
}
