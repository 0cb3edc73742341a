/* Lines are read into memory allocated by the library, and the last one is used after free. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *line = NULL, *last = NULL;
    size_t size;
    while (getline(&line, &size, stdin) > 0) {
        last = line;
        free(line);
        line = NULL;
    }
    return last && last[0] == '1';
}
