#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
struct part { const int *from; int count; long sum; };
static void *add(void *arg)
{
    struct part *p = arg;
    p->sum = 0;
    for (int i = 0; i < p->count; i++) p->sum += p->from[i];
    return p;
}
int main(void)
{
    int data[8];
    struct part parts[2];
    pthread_t t[2];
    for (int i = 0; i < 8; i++) data[i] = i;
    for (int i = 0; i < 2; i++) {
        parts[i] = (struct part){ .from = data + 4 * i, .count = 4 };
        pthread_create(&t[i], NULL, add, &parts[i]);
    }
    long total = 0;
    for (int i = 0; i < 2; i++) {
        void *r;
        pthread_join(t[i], &r);
        total += ((struct part *)r)->sum;
    }
    assert(total == 28);
    return 0;
}
