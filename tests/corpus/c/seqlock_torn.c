/* Clock page shared with readers (vDSO style); the reader is too simple. */
#include <stdatomic.h>
#include <assert.h>
#include <pthread.h>

typedef struct {
    atomic_uint version;
    atomic_int  sec;
    atomic_int  msec;
} clock_page_t;

static clock_page_t page = { 0, 1, 999 };

static void clock_tick(void)
{
    atomic_fetch_add(&page.version, 1);
    atomic_store(&page.sec, 2);
    atomic_store(&page.msec, 0);
    atomic_fetch_add(&page.version, 1);
}

static int clock_read(void)
{
    unsigned v;
    int sec, msec;

    do {
        v = atomic_load(&page.version);
        sec = atomic_load(&page.sec);
        msec = atomic_load(&page.msec);
    } while (atomic_load(&page.version) != v);
    return sec * 1000 + msec;
}

static void *updater(void *arg)
{
    (void)arg;
    clock_tick();
    return NULL;
}

static void *reader(void *arg)
{
    (void)arg;
    int t = clock_read();
    assert(t == 1999 || t == 2000);
    return NULL;
}

int main(void)
{
    pthread_t u, r;

    pthread_create(&u, NULL, updater, NULL);
    pthread_create(&r, NULL, reader, NULL);
    pthread_join(u, NULL);
    pthread_join(r, NULL);
    return 0;
}
