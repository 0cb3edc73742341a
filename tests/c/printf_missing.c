/* The format expects more arguments than are given. */
#include <stdio.h>

int main(void)
{
    char line[32];
    snprintf(line, sizeof line, "%d-%d", 1);
    return line[0] == '1';
}
