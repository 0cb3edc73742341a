/* Reload of a configuration under pthread_rwlock, readers keep a copy. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <assert.h>

typedef struct {
    unsigned short port;
    unsigned       flags : 4;
    unsigned       level : 4;
    union {
        char     name[8];
        unsigned words[2];
    } u;
} config;

static config            current = { 80, 1, 1, { "www" } };
static pthread_rwlock_t  lock    = PTHREAD_RWLOCK_INITIALIZER;

static config snapshot(void)
{
    config c;
    pthread_rwlock_rdlock(&lock);
    c = current;
    pthread_rwlock_unlock(&lock);
    return c;
}

static void reload(unsigned short port, unsigned level)
{
    pthread_rwlock_wrlock(&lock);
    current.port = port;
    current.level = level;
    snprintf(current.u.name, sizeof current.u.name, "p%u", port);
    pthread_rwlock_unlock(&lock);
}

static void *server(void *arg)
{
    config c = snapshot();
    (void)arg;
    switch (c.port) {
    case 80:
        assert(c.level == 1 && !strcmp(c.u.name, "www"));
        break;
    case 8080:
        assert(c.level == 7 && !strcmp(c.u.name, "p8080"));
        break;
    default:
        assert(0);
    }
    return NULL;
}

static void *reloader(void *arg)
{
    (void)arg;
    reload(8080, 7);
    return NULL;
}

int main(void)
{
    pthread_t s[2], r;
    pthread_create(&s[0], NULL, server, NULL);
    pthread_create(&r, NULL, reloader, NULL);
    pthread_create(&s[1], NULL, server, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(s[i], NULL);
    pthread_join(r, NULL);
    assert(current.flags == 1);
    return 0;
}
