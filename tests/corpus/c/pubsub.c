#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>

/* ---- a tiny publish/subscribe broker ---------------------------- */

#define MAXSUB 4
#define QLEN   4

typedef struct message { char topic[8]; int payload; } message;

typedef struct subscriber {
    char            topic[8];
    message         q[QLEN];
    int             n;
    int             closed;
    pthread_mutex_t m;
    pthread_cond_t  c;
} subscriber;

typedef struct broker {
    subscriber     *subs[MAXSUB];
    int             nsubs;
    pthread_rwlock_t lock;
} broker;

static broker B = { .nsubs = 0, .lock = PTHREAD_RWLOCK_INITIALIZER };

static subscriber *subscribe(const char *topic)
{
    subscriber *s = malloc(sizeof(*s));
    if (s == NULL) { perror("malloc"); exit(EXIT_FAILURE); }
    memset(s, 0, sizeof *s);
    strncpy(s->topic, topic, sizeof(s->topic) - 1);
    pthread_mutex_init(&s->m, NULL);
    pthread_cond_init(&s->c, NULL);
    pthread_rwlock_wrlock(&B.lock);
    assert(B.nsubs < MAXSUB);
    B.subs[B.nsubs++] = s;
    pthread_rwlock_unlock(&B.lock);
    return s;
}

static int publish(const char *topic, int payload)
{
    int delivered = 0;

    pthread_rwlock_rdlock(&B.lock);
    for (int i = 0; i < B.nsubs; i++) {
        subscriber *s = B.subs[i];
        if (strcmp(s->topic, topic)) continue;
        pthread_mutex_lock(&s->m);
        if (s->n < QLEN) {
            strcpy(s->q[s->n].topic, topic);
            s->q[s->n].payload = payload;
            s->n++;
            delivered++;
            pthread_cond_signal(&s->c);
        }
        pthread_mutex_unlock(&s->m);
    }
    pthread_rwlock_unlock(&B.lock);
    return delivered;
}

static void close_all(void)
{
    pthread_rwlock_rdlock(&B.lock);
    for (int i = 0; i < B.nsubs; i++) {
        pthread_mutex_lock(&B.subs[i]->m);
        B.subs[i]->closed = 1;
        pthread_cond_signal(&B.subs[i]->c);
        pthread_mutex_unlock(&B.subs[i]->m);
    }
    pthread_rwlock_unlock(&B.lock);
}

/* returns 0 when the subscription is closed and drained */
static int next_message(subscriber *s, message *out)
{
    int ok = 0;
    pthread_mutex_lock(&s->m);
    while (s->n == 0 && !s->closed)
        pthread_cond_wait(&s->c, &s->m);
    if (s->n > 0) {
        *out = s->q[0];
        s->n--;
        memmove(&s->q[0], &s->q[1], s->n * sizeof(message));
        ok = 1;
    }
    pthread_mutex_unlock(&s->m);
    return ok;
}

/* ---- clients ---------------------------------------------------- */

static void *listener(void *arg)
{
    subscriber *s = arg;
    message m;
    long sum = 0;

    while (next_message(s, &m)) {
        assert(strcmp(m.topic, s->topic) == 0);
        sum += m.payload;
    }
    return (void *)sum;
}

static void *publisher(void *arg)
{
    int base = *(int *)arg;
    publish("news", base);
    publish("sport", base + 1);
    return NULL;
}

int main(void)
{
    pthread_t l1, l2, p1, p2;
    subscriber *news = subscribe("news"), *sport = subscribe("sport");
    int b1 = 10, b2 = 20;
    void *r1, *r2;

    pthread_create(&l1, NULL, listener, news);
    pthread_create(&l2, NULL, listener, sport);
    pthread_create(&p1, NULL, publisher, &b1);
    pthread_create(&p2, NULL, publisher, &b2);
    pthread_join(p1, NULL);
    pthread_join(p2, NULL);
    close_all();
    pthread_join(l1, &r1);
    pthread_join(l2, &r2);
    printf("news %ld sport %ld\n", (long)r1, (long)r2);
    assert((long)r1 == 30 && (long)r2 == 32);
    free(news);
    free(sport);
    return 0;
}
