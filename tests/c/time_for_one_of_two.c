/* A condition selects the destination of the time: one of the two is read. */
#include <assert.h>
#include <time.h>

int flag;
long global;

int main(void) {
    long local = 0;
    flag = 1;
    *(flag ? &global : &local) = time(0);
    assert(global != 3);
    return 0;
}
