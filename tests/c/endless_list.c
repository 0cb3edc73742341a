/* A list that grows without bound: the search reaches a limit and reports it. */
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
