/* A sorted list with a lock per node and hand-over-hand locking. */
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

#define THREADS 3
#define EACH 2

struct node {
    int key;
    pthread_mutex_t lock;
    struct node *next;
};

static struct node *head;

static struct node *node_new(int key, struct node *next)
{
    struct node *n = malloc(sizeof *n);
    n->key = key;
    n->next = next;
    pthread_mutex_init(&n->lock, NULL);
    return n;
}

static int insert(int key)
{
    struct node *before = head;
    pthread_mutex_lock(&before->lock);
    struct node *at = before->next;
    pthread_mutex_lock(&at->lock);
    while (at->key < key) {
        pthread_mutex_unlock(&before->lock);
        before = at;
        at = at->next;
        pthread_mutex_lock(&at->lock);
    }
    int is_new = at->key != key;
    if (is_new)
        before->next = node_new(key, at);
    pthread_mutex_unlock(&at->lock);
    pthread_mutex_unlock(&before->lock);
    return is_new;
}

static void *work(void *arg)
{
    int first = *(int *)arg;
    for (int i = 0; i < EACH; i++)
        insert(first + i);
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];
    int firsts[THREADS];
    int count = 0, last = INT_MIN;
    head = node_new(INT_MIN, node_new(INT_MAX, NULL));
    for (int i = 0; i < THREADS; i++) {
        firsts[i] = i;
        pthread_create(&t[i], NULL, work, &firsts[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    for (struct node *n = head->next; n->next; n = n->next) {
        assert(n->key > last);
        last = n->key;
        count++;
    }
    assert(count == THREADS + EACH - 1);
    while (head) {
        struct node *next = head->next;
        pthread_mutex_destroy(&head->lock);
        free(head);
        head = next;
    }
    return 0;
}
