/* Two groups of threads, each with a lock and a variable of its own. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static int lefts, rights;

static void *count_left(void *unused)
{
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&left);
        lefts++;
        pthread_mutex_unlock(&left);
    }
    return unused;
}

static void *count_right(void *unused)
{
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&right);
        rights++;
        pthread_mutex_unlock(&right);
    }
    return unused;
}

int main(void)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], 0, i < 2 ? count_left : count_right, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
    assert(lefts == 6 && rights == 6);
}
