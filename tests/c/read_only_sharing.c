#include <pthread.h>
#include <assert.h>
static const int table[4] = { 1, 2, 3, 4 };
static int scale = 2;
static void *use(void *p) { return (void *)(long)(table[(long)p] * scale); }
int main(void)
{
    pthread_t t[2];
    void *r[2];
    for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, use, (void *)(i + 1));
    for (int i = 0; i < 2; i++) pthread_join(t[i], &r[i]);
    assert((long)r[0] + (long)r[1] == 10);
    return 0;
}
