/* A list without an end: a limit is met, and said. */
#include <stdlib.h>
struct node { struct node *next; };
int main(void)
{
    struct node *list = 0;
    for (;;) {
        struct node *node = malloc(sizeof *node);
        node->next = list;
        list = node;
    }
}
