#include <assert.h>
int main(void)
{
    int m[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }, sum = 0;
    for (int *p = &m[0][0]; p != &m[1][3]; p++) sum += *p;
    assert(sum == 21);
    return 0;
}
