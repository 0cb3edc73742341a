#include <stdlib.h>
#include <assert.h>
#include <pthread.h>
struct node { int key; struct node *next; };
static struct node *list;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void insert(int key)
{
    struct node *n = malloc(sizeof *n), **at = &list;
    n->key = key;
    pthread_mutex_lock(&lock);
    while (*at && (*at)->key < key) at = &(*at)->next;
    n->next = *at;
    *at = n;
    pthread_mutex_unlock(&lock);
}
static void *adder(void *arg) { insert(*(int *)arg); return 0; }
int main(void)
{
    int keys[3] = { 3, 1, 2 };
    pthread_t t[3];
    for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, adder, &keys[i]);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    int last = 0;
    while (list) {
        struct node *n = list;
        assert(n->key > last);
        last = n->key;
        list = n->next;
        free(n);
    }
    assert(last == 3);
    return 0;
}
