/*
 * Connection table of a little server: one thread reaps closed connections,
 * another one prints statistics.
 */
#include <stdio.h>
#include <stdlib.h>
#include <pthread.h>

struct conn {
    int fd;
    int bytes;
    int closed;
    struct conn *next;
};

static struct conn *conns;
static pthread_mutex_t conns_lock = PTHREAD_MUTEX_INITIALIZER;

static void add_conn(int fd, int closed)
{
    struct conn *c = malloc(sizeof(*c));
    if (!c)
        exit(1);
    c->fd = fd;
    c->bytes = fd * 100;
    c->closed = closed;
    pthread_mutex_lock(&conns_lock);
    c->next = conns;
    conns = c;
    pthread_mutex_unlock(&conns_lock);
}

static struct conn *find_conn(int fd)
{
    struct conn *c;

    pthread_mutex_lock(&conns_lock);
    for (c = conns; c != NULL; c = c->next)
        if (c->fd == fd)
            break;
    pthread_mutex_unlock(&conns_lock);
    return c;
}

static void *reaper(void *arg)
{
    struct conn **pp, *c;

    (void)arg;
    pthread_mutex_lock(&conns_lock);
    pp = &conns;
    while ((c = *pp) != NULL) {
        if (c->closed) {
            *pp = c->next;
            free(c);
        } else {
            pp = &c->next;
        }
    }
    pthread_mutex_unlock(&conns_lock);
    return NULL;
}

static void *reporter(void *arg)
{
    int fd = *(int *)arg;
    struct conn *c = find_conn(fd);

    if (c != NULL)
        printf("connection %d: %d bytes\n", fd, c->bytes);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    int fd = 4;

    add_conn(3, 0);
    add_conn(4, 1);
    add_conn(5, 0);
    pthread_create(&t1, NULL, reporter, &fd);
    pthread_create(&t2, NULL, reaper, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
