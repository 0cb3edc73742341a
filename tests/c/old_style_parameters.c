/* Arguments for old-style parameters are promoted and then converted to the parameter types (C11 6.9.1p10). */
#include <assert.h>

int narrow(c, s) unsigned char c; short s; { return c + s; }
float next(x) float x; { float *p = &x; *p += 1; return x; }
float later();

int main(void)
{
    float three = 3;
    assert(narrow(-1, 65537) == 256);
    assert(next(three) == 4 && next(2.5) == 3.5);
    assert(later(three) == 6);
    return 0;
}

float later(x) float x; { return 2 * x; }
