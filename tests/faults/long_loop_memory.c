#include <stdlib.h>
/* Ten megabytes before the first state. */
struct block { struct block *next; char bytes[10000]; };
int main(void) {
    struct block *all = 0;
    for (int i = 0; i < 1000; i++) {
        struct block *block = malloc(sizeof *block);
        block->next = all;
        all = block;
    }
    while (all) {
        struct block *next = all->next;
        free(all);
        all = next;
    }
    return 0;
}
