/* Universal character names in identifiers, and hexadecimal floating output. */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#define JOINED(a, b) a##b

int main(void)
{
    int \u00e9 = 3, caf\u00e9 = 4, JOINED(x\u00e9, 1) = 9;
    assert(é == 3 && café == 4 && caf\U000000E9 == 4 && xé1 == 9);
    char text[99];
    sprintf(text, "%a %A %.0a %.1a %12a|%-9a|%012a %+a %#a", 1.5, -3.75, 2.5, 0.1, 1.0, 2.0, 0.5, 0.0, 4.0);
    assert(!strcmp(text, "0x1.8p+0 -0X1.EP+1 0x1p+1 0x1.ap-4       0x1p+0|0x1p+1   |0x0000001p-1 +0x0p+0 0x1.p+2"));
    sprintf(text, "%a %.3a %a", 5e-324, 255.999, 1e300);
    assert(!strcmp(text, "0x0.0000000000001p-1022 0x2.000p+7 0x1.7e43c8800759cp+996"));
    errno = ENOENT;
    printf("%m %d\n", errno);
    return 0;
}
