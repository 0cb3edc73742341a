/* `#` and upper-case conversions (C11 7.21.6.1): minimal zeros, and a decimal point where required. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

static char text[2000];

int main(void)
{
    sprintf(text, "%#o %#.3o %#.0o %#.2o %#06o", 8, 8, 0, 64, 8);
    assert(strcmp(text, "010 010 0 0100 000010") == 0);
    sprintf(text, "%#.0f %#.0e %#.1g %#G %.0f", 2.0, 100.0, 3.0, 1e10, 2.0);
    assert(strcmp(text, "2. 1.e+02 3. 1.00000E+10 2") == 0);
    double infinite = 1e308 * 10;
    sprintf(text, "%f %F %5E %-5G|%+05F", infinite, infinite, -infinite, infinite, infinite);
    assert(strcmp(text, "inf INF  -INF INF  | +INF") == 0);
    assert(sprintf(text, "%.1500f", 0.1) == 1502);
    assert(snprintf(text, sizeof text, "%200000d", 1) == 200000);
    return 0;
}
