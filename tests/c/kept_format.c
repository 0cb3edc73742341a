/* Text that the program keeps must not contain undefined conversions. */
#include <stdio.h>
int main(void)
{
    char line[40];
    snprintf(line, sizeof line, "%ld", 7);
    return line[0] == '7';
}
