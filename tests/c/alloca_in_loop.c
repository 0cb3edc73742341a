/* Memory of `alloca` is asked for again at one place, which keeps what was asked for before. */
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
