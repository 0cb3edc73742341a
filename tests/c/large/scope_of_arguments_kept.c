/* The arguments of threads are on the stack of a function that waits for all of them. */
#include <pthread.h>

#define THREADS 3

struct part {
    const int *values;
    int from, to, sum;
};

static pthread_t t[THREADS];
static int values[12];

static void *add(void *arg)
{
    struct part *part = arg;
    int sum = 0;
    for (int i = part->from; i < part->to; i++)
        sum += part->values[i];
    part->sum = sum;
    return 0;
}

static int begin(void)
{
    struct part parts[THREADS];
    for (int i = 0; i < THREADS; i++) {
        parts[i] = (struct part){ values, 4 * i, 4 * i + 4, 0 };
        pthread_create(&t[i], 0, add, &parts[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    return parts[0].sum;
}

int main(void)
{
    for (int i = 0; i < 12; i++)
        values[i] = i;
    int first = begin();
    return first == 6 ? 0 : 1;
}
