/* Three pairs of threads, each pair with an atomic counter. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int a, b, c;

static void *add_a(void *unused) { atomic_fetch_add(&a, 1); atomic_fetch_add(&a, 1); return unused; }
static void *add_b(void *unused) { atomic_fetch_add(&b, 1); atomic_fetch_add(&b, 1); return unused; }
static void *add_c(void *unused) { atomic_fetch_add(&c, 1); atomic_fetch_add(&c, 1); return unused; }

int main(void)
{
    pthread_t t[6];
    pthread_create(&t[0], 0, add_a, 0);
    pthread_create(&t[1], 0, add_a, 0);
    pthread_create(&t[2], 0, add_b, 0);
    pthread_create(&t[3], 0, add_b, 0);
    pthread_create(&t[4], 0, add_c, 0);
    pthread_create(&t[5], 0, add_c, 0);
    for (int i = 0; i < 6; i++)
        pthread_join(t[i], 0);
    assert(a + b + c == 12);
}
