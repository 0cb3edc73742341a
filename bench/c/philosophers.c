// Five philosophers who take the lower fork first and eat twice; compare philosophers.pml.
#include <assert.h>
#include <pthread.h>

#define SEATS 5
#define MEALS 2

static pthread_mutex_t fork_[SEATS];
static int user[SEATS];

static void *dine(void *arg) {
    int me = *(int *)arg;
    int low = me < SEATS - 1 ? me : 0, high = me < SEATS - 1 ? me + 1 : SEATS - 1;
    for (int i = 0; i < MEALS; i++) {
        pthread_mutex_lock(&fork_[low]);
        pthread_mutex_lock(&fork_[high]);
        user[low] = me;
        user[high] = me;
        assert(user[low] == me);
        pthread_mutex_unlock(&fork_[high]);
        pthread_mutex_unlock(&fork_[low]);
    }
    return 0;
}

int main(void) {
    pthread_t t[SEATS];
    int me[SEATS];
    for (int i = 0; i < SEATS; i++)
        pthread_mutex_init(&fork_[i], 0);
    for (int i = 0; i < SEATS; i++) {
        me[i] = i;
        pthread_create(&t[i], 0, dine, &me[i]);
    }
    for (int i = 0; i < SEATS; i++)
        pthread_join(t[i], 0);
    return 0;
}
