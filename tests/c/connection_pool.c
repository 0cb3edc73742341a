// A connection pool: connections are acquired and returned by three clients, never used by two at once.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#define CONNECTIONS 2
#define CLIENTS 3
struct connection { bool busy; int uses; };
struct pool {
    pthread_mutex_t lock;
    pthread_cond_t given_back;
    int free;
    struct connection all[CONNECTIONS];
};
static struct pool pool = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, CONNECTIONS, {{false, 0}, {false, 0}}};
static struct connection *take(struct pool *p) {
    struct connection *found = 0;
    pthread_mutex_lock(&p->lock);
    while (p->free == 0)
        pthread_cond_wait(&p->given_back, &p->lock);
    p->free--;
    for (int i = 0; i < CONNECTIONS; i++)
        if (!p->all[i].busy) {
            found = &p->all[i];
            break;
        }
    assert(found);
    found->busy = true;
    pthread_mutex_unlock(&p->lock);
    return found;
}
static void give_back(struct pool *p, struct connection *c) {
    pthread_mutex_lock(&p->lock);
    assert(c->busy);
    c->busy = false;
    p->free++;
    pthread_cond_signal(&p->given_back);
    pthread_mutex_unlock(&p->lock);
}
static void *client(void *arg) {
    struct connection *c = take(&pool);
    c->uses++;
    give_back(&pool, c);
    return arg;
}
int main(void) {
    pthread_t t[CLIENTS];
    for (int i = 0; i < CLIENTS; i++)
        pthread_create(&t[i], 0, client, 0);
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(t[i], 0);
    int uses = 0;
    for (int i = 0; i < CONNECTIONS; i++)
        uses += pool.all[i].uses;
    assert(uses == CLIENTS && pool.free == CONNECTIONS);
    return 0;
}
