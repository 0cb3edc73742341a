/* Where the time goes is decided by a condition: it does not only go where nobody looks. */
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
