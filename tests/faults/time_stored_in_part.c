/* One byte of the stored time is read. */
#include <stdlib.h>
#include <time.h>
#include <string.h>
static time_t started;
struct item { time_t made; int value; };
int main(void) {
    struct item *p = malloc(sizeof *p);
    time(&p->made);
    started = p->made; 
    unsigned char c; memcpy(&c, (char *)p + 2, 1);
    return c == 3;
}
