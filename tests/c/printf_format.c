/* `%s` expects a pointer. */
#include <stdio.h>

int main(void)
{
    printf("%5d of %-8s %ld%%\n", 3, "tasks", 50L);
    printf("%s\n", 3);
    return 0;
}
