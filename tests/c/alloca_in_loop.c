/* A call of `alloca` is executed repeatedly; the earlier blocks remain live. */
#include <alloca.h>

int main(void)
{
    int *last = 0, sum = 0;
    for (int i = 0; i < 3; i++) {
        int *mine = alloca(sizeof *mine);
        *mine = i;
        if (last)
            sum += *last;
        last = mine;
    }
    return sum != 1;
}
