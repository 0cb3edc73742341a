/* job queue: two consumers, one producer */
#include <stdio.h>
#include <stdlib.h>
#include <assert.h>
#include <pthread.h>

typedef struct node {
    int job;
    struct node *next;
} node_t;

typedef struct {
    node_t *front, *rear;
    int size;
    pthread_mutex_t mtx;
    pthread_cond_t nonempty;
} queue_t;

queue_t *queue_new(void)
{
    queue_t *q = malloc(sizeof(queue_t));
    if (!q) {
        perror("malloc");
        exit(1);
    }
    q->front = q->rear = NULL;
    q->size = 0;
    pthread_mutex_init(&q->mtx, NULL);
    pthread_cond_init(&q->nonempty, NULL);
    return q;
}

void queue_push(queue_t *q, int job)
{
    node_t *n = malloc(sizeof(node_t));
    n->job = job;
    n->next = NULL;
    pthread_mutex_lock(&q->mtx);
    if (q->rear)
        q->rear->next = n;
    else
        q->front = n;
    q->rear = n;
    q->size++;
    pthread_cond_broadcast(&q->nonempty);
    pthread_mutex_unlock(&q->mtx);
}

int queue_pop(queue_t *q)
{
    pthread_mutex_lock(&q->mtx);
    if (q->size == 0)
        pthread_cond_wait(&q->nonempty, &q->mtx);
    assert(q->size > 0);
    node_t *n = q->front;
    q->front = n->next;
    if (q->front == NULL)
        q->rear = NULL;
    q->size--;
    pthread_mutex_unlock(&q->mtx);
    int job = n->job;
    free(n);
    return job;
}

void *consumer(void *arg)
{
    queue_t *q = arg;
    printf("job %d\n", queue_pop(q));
    return NULL;
}

int main(void)
{
    queue_t *q = queue_new();
    pthread_t c1, c2;

    pthread_create(&c1, NULL, consumer, q);
    pthread_create(&c2, NULL, consumer, q);
    queue_push(q, 1);
    queue_push(q, 2);
    pthread_join(c1, NULL);
    pthread_join(c2, NULL);
    free(q);
    return 0;
}
