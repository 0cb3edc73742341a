/* The stored time is copied and compared. */
#include <stdlib.h>
#include <time.h>
struct item { time_t made; int value; };
int main(void) {
    struct item *p = malloc(sizeof *p), q;
    p->made = time(NULL);
    p->value = 1;
    q = *p;
    int ok = q.made > 5;
    free(p);
    return ok ? 0 : 1;
}
