/* An interpreter with computed goto, from a table and from a variable. */
#include <stdio.h>
#include <assert.h>
static int run(const unsigned char *p) {
    static const void *const table[] = { &&halt, &&inc, &&dec, &&dbl };
    int acc = 1;
    goto *table[*p++];
inc: acc++; goto *table[*p++];
dec: acc--; goto *table[*p++];
dbl: acc *= 2; goto *table[*p++];
halt: return acc;
}
int main(void) {
    unsigned char prog[] = { 1, 3, 3, 2, 0 };
    assert(run(prog) == 7);
    void *where = &&out;
    int k = 0;
again:
    if (k++ < 3) { where = k == 3 ? &&out : &&again; goto *where; }
out:
    assert(k == 3);
    return 0;
}
