/* Dining philosophers with arrays of structs; the last takes the forks in the opposite order. */
#include <assert.h>
#include <pthread.h>

#define N 5
#define MEALS 2

struct fork {
    pthread_mutex_t lock;
    int user;
};

struct philosopher {
    int id, meals;
    struct fork *left, *right;
};

static struct fork forks[N];
static struct philosopher philosophers[N];

static void *dine(void *arg)
{
    struct philosopher *p = arg;
    struct fork *first = p->left, *second = p->right;
    if (p->id == N - 1) {
        first = p->right;
        second = p->left;
    }
    for (int i = 0; i < MEALS; i++) {
        pthread_mutex_lock(&first->lock);
        pthread_mutex_lock(&second->lock);
        first->user = second->user = p->id;
        p->meals++;
        assert(first->user == p->id && second->user == p->id);
        pthread_mutex_unlock(&second->lock);
        pthread_mutex_unlock(&first->lock);
    }
    return 0;
}

int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&forks[i].lock, 0);
    for (int i = 0; i < N; i++) {
        philosophers[i] = (struct philosopher){ i, 0, &forks[i], &forks[(i + 1) % N] };
        pthread_create(&t[i], 0, dine, &philosophers[i]);
    }
    for (int i = 0; i < N; i++) {
        pthread_join(t[i], 0);
        assert(philosophers[i].meals == MEALS);
    }
    return 0;
}
