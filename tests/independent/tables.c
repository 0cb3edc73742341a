/* Two tables with two philosophers each, who take their forks in the same order. */
#include <pthread.h>

static pthread_mutex_t fork_a = PTHREAD_MUTEX_INITIALIZER, fork_b = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t fork_c = PTHREAD_MUTEX_INITIALIZER, fork_d = PTHREAD_MUTEX_INITIALIZER;
static int meals_here, meals_there;

static void *eat_here(void *unused)
{
    for (int meal = 0; meal < 2; meal++) {
        pthread_mutex_lock(&fork_a);
        pthread_mutex_lock(&fork_b);
        meals_here++;
        pthread_mutex_unlock(&fork_b);
        pthread_mutex_unlock(&fork_a);
    }
    return unused;
}

static void *eat_there(void *unused)
{
    for (int meal = 0; meal < 2; meal++) {
        pthread_mutex_lock(&fork_c);
        pthread_mutex_lock(&fork_d);
        meals_there++;
        pthread_mutex_unlock(&fork_d);
        pthread_mutex_unlock(&fork_c);
    }
    return unused;
}

int main(void)
{
    pthread_t t[4];
    pthread_create(&t[0], 0, eat_here, 0);
    pthread_create(&t[1], 0, eat_here, 0);
    pthread_create(&t[2], 0, eat_there, 0);
    pthread_create(&t[3], 0, eat_there, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    return meals_here + meals_there == 8 ? 0 : 1;
}
