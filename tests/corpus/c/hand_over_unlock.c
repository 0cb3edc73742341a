/* Sorted list with hand-over-hand locking. */
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <stdio.h>

typedef struct node_s {
	int key;
	pthread_mutex_t lock;
	struct node_s *next;
} node_t;

static node_t *head;

static node_t *node_new(int key, node_t *next)
{
	node_t *n = malloc(sizeof *n);
	n->key = key;
	n->next = next;
	pthread_mutex_init(&n->lock, NULL);
	return n;
}

static int insert(int key)
{
	node_t *pred, *curr;
	int res = 0;

	pthread_mutex_lock(&head->lock);
	pred = head;
	curr = pred->next;
	pthread_mutex_lock(&curr->lock);
	while (curr->key < key) {
		pthread_mutex_unlock(&pred->lock);
		pred = curr;
		curr = curr->next;
		pthread_mutex_lock(&curr->lock);
	}
	if (curr->key != key) {
		pred->next = node_new(key, curr);
		curr = pred->next;
		res = 1;
	}
	pthread_mutex_unlock(&curr->lock);
	pthread_mutex_unlock(&pred->lock);
	return res;
}

static void *inserter(void *arg)
{
	int *keys = arg;

	for (; *keys; keys++)
		if (!insert(*keys))
			printf("%d is already there\n", *keys);
	return NULL;
}

int main(void)
{
	static int first[] = { 3, 0 }, second[] = { 5, 0 };
	pthread_t a, b;

	head = node_new(INT_MIN, node_new(INT_MAX, NULL));
	pthread_create(&a, NULL, inserter, first);
	pthread_create(&b, NULL, inserter, second);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	for (node_t *n = head->next; n->key != INT_MAX; n = n->next)
		printf("%d ", n->key);
	printf("\n");
	return 0;
}
