/* A text that is put together from the place where it goes; where only the bytes before that are read, all is well. */
#include <stdio.h>

int main(void)
{
    char path[16] = "dir", other[16] = "file";
    snprintf(path + 4, 8, "%s", other);
    sprintf(path + 3, "%.3s", path);
    sprintf(path, "%s/%s", path, other);
    return 0;
}
