/* Two records, each protected by a read-write lock, each with a writer and a reader. */
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t one = PTHREAD_RWLOCK_INITIALIZER, two = PTHREAD_RWLOCK_INITIALIZER;
static int one_low, one_high, two_low, two_high;

static void *write_one(void *unused)
{
    for (int i = 1; i <= 2; i++) {
        pthread_rwlock_wrlock(&one);
        one_low = i;
        one_high = i;
        pthread_rwlock_unlock(&one);
    }
    return unused;
}

static void *read_one(void *unused)
{
    for (int i = 1; i <= 2; i++) {
        pthread_rwlock_rdlock(&one);
        assert(one_low == one_high);
        pthread_rwlock_unlock(&one);
    }
    return unused;
}

static void *write_two(void *unused)
{
    for (int i = 1; i <= 2; i++) {
        pthread_rwlock_wrlock(&two);
        two_low = i;
        two_high = i;
        pthread_rwlock_unlock(&two);
    }
    return unused;
}

static void *read_two(void *unused)
{
    for (int i = 1; i <= 2; i++) {
        pthread_rwlock_rdlock(&two);
        assert(two_low == two_high);
        pthread_rwlock_unlock(&two);
    }
    return unused;
}

int main(void)
{
    pthread_t t[4];
    pthread_create(&t[0], 0, write_one, 0);
    pthread_create(&t[1], 0, read_one, 0);
    pthread_create(&t[2], 0, write_two, 0);
    pthread_create(&t[3], 0, read_two, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
}
