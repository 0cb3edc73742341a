/* The number of arguments is stored and decides later. */
#include <assert.h>
static int count;
static void check(void) { assert(count < 3); }
int main(int argc, char **argv) {
    (void)argv;
    count = argc;
    check();
    return 0;
}
