/* strlen, strcat and printf over long strings. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *s = malloc(20000001), *t = malloc(20000001);
    memset(s, 'x', 20000000);
    s[20000000] = 0;
    unsigned long n = 0;
    for (;;) { n += strlen(s); strcpy(t, s); n += (unsigned long)snprintf(t, 20000000, "%s", s); }
    return (int)n;
}
