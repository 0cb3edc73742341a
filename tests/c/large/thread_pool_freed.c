/* A pool of workers that take jobs from a list; a job is freed before its argument is read: use after free. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define WORKERS 3
#define JOBS 5

struct job {
    void (*run)(void *);
    void *argument;
    struct job *next;
};

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t more;
    struct job *first, *last;
    int stopped;
    pthread_t workers[WORKERS];
};

static void *worker(void *arg)
{
    struct pool *pool = arg;
    for (;;) {
        pthread_mutex_lock(&pool->lock);
        while (!pool->first && !pool->stopped)
            pthread_cond_wait(&pool->more, &pool->lock);
        struct job *job = pool->first;
        if (!job) {
            pthread_mutex_unlock(&pool->lock);
            return NULL;
        }
        pool->first = job->next;
        if (!pool->first)
            pool->last = NULL;
        pthread_mutex_unlock(&pool->lock);
        void (*run)(void *) = job->run;
        free(job);
        run(job->argument);
    }
}

static struct pool *pool_new(void)
{
    struct pool *pool = calloc(1, sizeof *pool);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->more, NULL);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&pool->workers[i], NULL, worker, pool);
    return pool;
}

static void pool_add(struct pool *pool, void (*run)(void *), void *argument)
{
    struct job *job = malloc(sizeof *job);
    job->run = run;
    job->argument = argument;
    job->next = NULL;
    pthread_mutex_lock(&pool->lock);
    if (pool->last)
        pool->last->next = job;
    else
        pool->first = job;
    pool->last = job;
    pthread_cond_signal(&pool->more);
    pthread_mutex_unlock(&pool->lock);
}

static void pool_end(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->stopped = 1;
    pthread_cond_broadcast(&pool->more);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(pool->workers[i], NULL);
    pthread_cond_destroy(&pool->more);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

static void square(void *arg)
{
    int *value = arg;
    *value = *value * *value;
}

int main(void)
{
    int values[JOBS];
    struct pool *pool = pool_new();
    for (int i = 0; i < JOBS; i++) {
        values[i] = i;
        pool_add(pool, square, &values[i]);
    }
    pool_end(pool);
    for (int i = 0; i < JOBS; i++)
        assert(values[i] == i * i);
    return 0;
}
