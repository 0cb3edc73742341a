/*
 * Toy scheduler with two virtual CPUs and a shared run queue.  A task is a
 * function which is called again and again until it returns TASK_DONE.
 */
#include <stdio.h>
#include <assert.h>
#include <pthread.h>

#define NTASK 3
#define NCPU  2

enum status { TASK_READY, TASK_RUNNING, TASK_DONE };

struct task;
typedef enum status (*task_fn)(struct task *);

struct task {
    const char  *name;
    task_fn      step;
    int          budget;
    enum status  status;
    int          cpu;         /* -1 if not running */
};

static enum status count_down(struct task *t)
{
    return --t->budget > 0 ? TASK_READY : TASK_DONE;
}

static enum status one_shot(struct task *t)
{
    t->budget = 0;
    return TASK_DONE;
}

static struct task tasks[NTASK] = {
    { "idle",   one_shot,   5, TASK_READY, -1 },
    { "shell",  count_down, 2, TASK_READY, -1 },
    { "editor", count_down, 1, TASK_READY, -1 },
};

static pthread_mutex_t rq_lock = PTHREAD_MUTEX_INITIALIZER;
static int runq[NTASK];
static int rq_head, rq_len;
static int alive = NTASK;

static void enqueue(int t)
{
    assert(rq_len < NTASK);
    runq[(rq_head + rq_len++) % NTASK] = t;
}

static int dequeue(void)
{
    int t;

    if (rq_len == 0)
        return -1;
    t = runq[rq_head];
    rq_head = (rq_head + 1) % NTASK;
    rq_len--;
    return t;
}

static void *cpu(void *arg)
{
    int id = (int)(long)arg, t;
    enum status st;

    pthread_mutex_lock(&rq_lock);
    while ((t = dequeue()) >= 0) {
        struct task *p = &tasks[t];
        assert(p->status == TASK_READY && p->cpu == -1);
        p->status = TASK_RUNNING;
        p->cpu = id;
        pthread_mutex_unlock(&rq_lock);

        st = p->step(p);

        pthread_mutex_lock(&rq_lock);
        p->cpu = -1;
        p->status = st;
        if (st == TASK_READY)
            enqueue(t);
        else
            alive--;
    }
    pthread_mutex_unlock(&rq_lock);
    return NULL;
}

int main(void)
{
    pthread_t cpus[NCPU];

    for (int i = 0; i < NTASK; i++)
        enqueue(i);
    for (long i = 0; i < NCPU; i++)
        pthread_create(&cpus[i], NULL, cpu, (void *)i);
    for (int i = 0; i < NCPU; i++)
        pthread_join(cpus[i], NULL);
    assert(alive == 0);
    for (int i = 0; i < NTASK; i++)
        assert(tasks[i].budget == 0);
    return 0;
}
