/* A string is formatted into its own source; it is defined only if no overwritten byte is read. */
#include <stdio.h>

int main(void)
{
    char path[16] = "dir", other[16] = "file";
    snprintf(path + 4, 8, "%s", other);
    sprintf(path + 3, "%.3s", path);
    sprintf(path, "%s/%s", path, other);
    return 0;
}
