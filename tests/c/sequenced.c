/* Side effects that resemble unsequenced ones but are sequenced: all of this is defined. */
#include <assert.h>

static int twice(int x) { return 2 * x; }

int main(void)
{
    int i = 1, j = 0, a[4] = { 0, 0, 7, 8 }, *p = a, *q = a + 2;
    i = i + 1;
    i = (i++, i + 1);
    assert(i == 4);
    i = twice(i++);
    assert(i == 8);
    if (i++ && i == 9)
        j = i++ ? i : 0;
    assert(i == 10 && j == 10);
    *p++ = *q++;
    *p++ = *q;
    assert(a[0] == 7 && a[1] == 8);
    i = 1;
    a[i++] += 1;
    a[i] = i;
    j = i++ + j;
    assert(a[1] == 9 && a[2] == 2 && i == 3 && j == 12);
    for (i = 0, j = 3; i < j; i++, j--)
        a[i] ^= a[j], a[j] ^= a[i], a[i] ^= a[j];
    assert(a[0] == 8 && a[3] == 7);
    i += i, j = (i && (i = 2)) + (j = 4, 1);
    assert(i == 2 && j == 2);
    return 0;
}
