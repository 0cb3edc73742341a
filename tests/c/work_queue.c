#include <pthread.h>
#include <stdlib.h>
#include <assert.h>

struct task { int n; struct task *next; };
static struct task *head;
static int closed, done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;

static void submit(int n)
{
    struct task *t = malloc(sizeof *t);
    t->n = n;
    pthread_mutex_lock(&lock);
    t->next = head;
    head = t;
    pthread_cond_signal(&wake);
    pthread_mutex_unlock(&lock);
}

static void *worker(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        while (!head && !closed)
            pthread_cond_wait(&wake, &lock);
        struct task *t = head;
        if (!t) {
            pthread_mutex_unlock(&lock);
            return 0;
        }
        head = t->next;
        done += t->n;
        pthread_mutex_unlock(&lock);
        free(t);
    }
}

int main(void)
{
    pthread_t w[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&w[i], 0, worker, 0);
    submit(1);
    submit(2);
    pthread_mutex_lock(&lock);
    closed = 1;
    pthread_cond_broadcast(&wake);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 2; i++)
        pthread_join(w[i], 0);
    assert(done == 3 && !head);
    return 0;
}
