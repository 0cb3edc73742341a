// The second loop reads a node that the first loop has freed; the nodes after it leak.
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

#define NEW(v, n) new_node((v), (n))
#define VALUE(p) ((p)->value)

static struct node *new_node(int value, struct node *next) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = next;
    return node;
}

int main(void) {
    struct node *list = NEW(1, NEW(2, 0));
    free(list);
    return VALUE(list);
}
