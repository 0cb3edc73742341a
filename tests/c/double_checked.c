#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready;
static int value, made;

static int get(void)
{
    if (!atomic_load(&ready)) {
        pthread_mutex_lock(&lock);
        if (!atomic_load(&ready)) {
            value = 42;
            made++;
            atomic_store(&ready, 1);
        }
        pthread_mutex_unlock(&lock);
    }
    return value;
}
static void *user(void *arg) { assert(get() == 42); return 0; }
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, user, 0);
    pthread_create(&b, 0, user, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(made == 1);
    return 0;
}
