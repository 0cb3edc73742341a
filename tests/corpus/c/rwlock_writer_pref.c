#include <assert.h>
#include <pthread.h>
#include <stdio.h>

/* Reader-writer lock which prefers writers, from condition variables. */

typedef struct {
    pthread_mutex_t m;
    pthread_cond_t  can_read;
    pthread_cond_t  can_write;
    int             active_readers;
    int             active_writer;
    int             waiting_writers;
} rwlock_t;

#define RWLOCK_INIT { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, \
                      PTHREAD_COND_INITIALIZER, 0, 0, 0 }

static rwlock_t rw = RWLOCK_INIT;
static int      shared_x, shared_y;     /* invariant: equal */

static void read_lock(rwlock_t *l)
{
    pthread_mutex_lock(&l->m);
    while (l->active_writer || l->waiting_writers > 0)
        pthread_cond_wait(&l->can_read, &l->m);
    l->active_readers++;
    pthread_mutex_unlock(&l->m);
}

static void read_unlock(rwlock_t *l)
{
    pthread_mutex_lock(&l->m);
    if (--l->active_readers == 0)
        pthread_cond_signal(&l->can_write);
    pthread_mutex_unlock(&l->m);
}

static void write_lock(rwlock_t *l)
{
    pthread_mutex_lock(&l->m);
    l->waiting_writers++;
    while (l->active_writer || l->active_readers > 0)
        pthread_cond_wait(&l->can_write, &l->m);
    l->waiting_writers--;
    l->active_writer = 1;
    pthread_mutex_unlock(&l->m);
}

static void write_unlock(rwlock_t *l)
{
    pthread_mutex_lock(&l->m);
    l->active_writer = 0;
    if (l->waiting_writers > 0)
        pthread_cond_signal(&l->can_write);
    else
        pthread_cond_broadcast(&l->can_read);
    pthread_mutex_unlock(&l->m);
}

static void *reader(void *p)
{
    int rounds = (int)(long)p;

    while (rounds-- > 0) {
        read_lock(&rw);
        assert(shared_x == shared_y);
        read_unlock(&rw);
    }
    return 0;
}

static void *writer(void *p)
{
    (void)p;
    write_lock(&rw);
    shared_x++;
    shared_y++;
    write_unlock(&rw);
    return 0;
}

int main(void)
{
    pthread_t r1, r2, w1, w2;

    pthread_create(&r1, 0, reader, (void *)1L);
    pthread_create(&w1, 0, writer, 0);
    pthread_create(&r2, 0, reader, (void *)1L);
    pthread_create(&w2, 0, writer, 0);
    pthread_join(r1, 0);
    pthread_join(w1, 0);
    pthread_join(r2, 0);
    pthread_join(w2, 0);
    assert(shared_x == 2);
    puts("done");
    return 0;
}
