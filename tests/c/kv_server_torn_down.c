// The server of kv_server.c, whose client destroys its reply once the flag is set: the worker may still hold its lock.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define KEYS 2
#define QUEUE 2
#define WORKERS 1
#define CLIENTS 2

enum kind { GET, PUT, QUIT };

struct reply {
    pthread_mutex_t lock;
    pthread_cond_t ready;
    bool done;
    bool found;
    int value;
};

struct request {
    enum kind kind;
    int key, value;
    struct reply *reply;
};

struct table {
    pthread_rwlock_t lock;
    bool there[KEYS];
    int value[KEYS];
};

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t not_full, not_empty;
    struct request slot[QUEUE];
    unsigned in, out;
};

static struct table table = {.lock = PTHREAD_RWLOCK_INITIALIZER};
static struct queue queue = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .not_full = PTHREAD_COND_INITIALIZER,
    .not_empty = PTHREAD_COND_INITIALIZER,
};

static void send_request(struct request r) {
    pthread_mutex_lock(&queue.lock);
    while (queue.in - queue.out == QUEUE)
        pthread_cond_wait(&queue.not_full, &queue.lock);
    queue.slot[queue.in % QUEUE] = r;
    queue.in++;
    pthread_cond_signal(&queue.not_empty);
    pthread_mutex_unlock(&queue.lock);
}

static struct request next_request(void) {
    pthread_mutex_lock(&queue.lock);
    while (queue.in == queue.out)
        pthread_cond_wait(&queue.not_empty, &queue.lock);
    struct request r = queue.slot[queue.out % QUEUE];
    queue.out++;
    pthread_cond_signal(&queue.not_full);
    pthread_mutex_unlock(&queue.lock);
    return r;
}

static void answer(struct reply *reply, bool found, int value) {
    pthread_mutex_lock(&reply->lock);
    reply->found = found;
    reply->value = value;
    reply->done = true;
    pthread_cond_signal(&reply->ready);
    pthread_mutex_unlock(&reply->lock);
}

static void serve(const struct request *r) {
    bool found = false;
    int value = 0;
    switch (r->kind) {
    case GET:
        pthread_rwlock_rdlock(&table.lock);
        found = table.there[r->key];
        value = table.value[r->key];
        pthread_rwlock_unlock(&table.lock);
        break;
    case PUT:
        pthread_rwlock_wrlock(&table.lock);
        table.there[r->key] = found = true;
        table.value[r->key] = value = r->value;
        pthread_rwlock_unlock(&table.lock);
        break;
    case QUIT:
        return;
    }
    answer(r->reply, found, value);
}

static void *worker(void *arg) {
    for (;;) {
        struct request r = next_request();
        if (r.kind == QUIT)
            return arg;
        serve(&r);
    }
}

static bool call(enum kind kind, int key, int *value) {
    struct reply reply;
    memset(&reply, 0, sizeof reply);
    pthread_mutex_init(&reply.lock, 0);
    pthread_cond_init(&reply.ready, 0);
    send_request((struct request){kind, key, *value, &reply});
    while (!*(volatile bool *)&reply.done)
        ;
    *value = reply.value;
    bool found = reply.found;
    pthread_cond_destroy(&reply.ready);
    pthread_mutex_destroy(&reply.lock);
    return found;
}

static void *client(void *arg) {
    int key = (int)(long)arg, value = 10 + key;
    bool stored = call(PUT, key, &value);
    assert(stored && value == 10 + key);
    value = 0;
    bool found = call(GET, key, &value);
    assert(found && value == 10 + key);
    return 0;
}

int main(void) {
    pthread_t w[WORKERS], c[CLIENTS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&w[i], 0, worker, 0);
    for (long i = 0; i < CLIENTS; i++)
        pthread_create(&c[i], 0, client, (void *)i);
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(c[i], 0);
    for (int i = 0; i < WORKERS; i++)
        send_request((struct request){.kind = QUIT});
    for (int i = 0; i < WORKERS; i++)
        pthread_join(w[i], 0);
    for (int i = 0; i < CLIENTS; i++)
        assert(table.there[i] && table.value[i] == 10 + i);
    return 0;
}
