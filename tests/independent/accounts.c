/* Transfers within two banks, each with locks in a fixed order. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t a_lock = PTHREAD_MUTEX_INITIALIZER, b_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t c_lock = PTHREAD_MUTEX_INITIALIZER, d_lock = PTHREAD_MUTEX_INITIALIZER;
static int a = 5, b = 5, c = 5, d = 5;

static void *a_to_b(void *unused)
{
    pthread_mutex_lock(&a_lock);
    pthread_mutex_lock(&b_lock);
    a--;
    b++;
    pthread_mutex_unlock(&b_lock);
    pthread_mutex_unlock(&a_lock);
    return unused;
}

static void *b_to_a(void *unused)
{
    pthread_mutex_lock(&a_lock);
    pthread_mutex_lock(&b_lock);
    b--;
    a++;
    pthread_mutex_unlock(&b_lock);
    pthread_mutex_unlock(&a_lock);
    return unused;
}

static void *c_to_d(void *unused)
{
    pthread_mutex_lock(&c_lock);
    pthread_mutex_lock(&d_lock);
    c--;
    d++;
    pthread_mutex_unlock(&d_lock);
    pthread_mutex_unlock(&c_lock);
    return unused;
}

static void *d_to_c(void *unused)
{
    pthread_mutex_lock(&c_lock);
    pthread_mutex_lock(&d_lock);
    d--;
    c++;
    pthread_mutex_unlock(&d_lock);
    pthread_mutex_unlock(&c_lock);
    return unused;
}

int main(void)
{
    pthread_t t[4];
    pthread_create(&t[0], 0, a_to_b, 0);
    pthread_create(&t[1], 0, b_to_a, 0);
    pthread_create(&t[2], 0, c_to_d, 0);
    pthread_create(&t[3], 0, d_to_c, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    assert(a + b == 10 && c + d == 10);
}
