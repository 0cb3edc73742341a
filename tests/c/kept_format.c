/* In a text that is kept, nothing may be that C does not define. */
#include <stdio.h>
int main(void)
{
    char line[40];
    snprintf(line, sizeof line, "%ld", 7);
    return line[0] == '7';
}
