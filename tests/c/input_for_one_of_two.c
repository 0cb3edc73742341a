/* A condition selects the destination of the input: one of the two is read. */
#include <assert.h>
#include <stdlib.h>

int global, flag;

int main(void) {
    int local = 0;
    flag = 1;
    *(flag ? &global : &local) = rand() % 10;
    assert(global != 3);
    return 0;
}
