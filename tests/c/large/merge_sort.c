/* Merge sort with a thread per half, to a fixed depth. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define N 32

struct range {
    int *values;
    int low, high, depth;
};

static void merge(int *v, int low, int mid, int high)
{
    int *copy = malloc((size_t)(high - low) * sizeof *copy);
    int i = low, j = mid, k = 0;
    while (i < mid && j < high)
        copy[k++] = v[i] <= v[j] ? v[i++] : v[j++];
    while (i < mid)
        copy[k++] = v[i++];
    while (j < high)
        copy[k++] = v[j++];
    memcpy(v + low, copy, (size_t)k * sizeof *copy);
    free(copy);
}

static void *sort(void *arg)
{
    struct range *r = arg;
    if (r->high - r->low < 2)
        return NULL;
    int mid = r->low + (r->high - r->low) / 2;
    struct range left = { r->values, r->low, mid, r->depth - 1 };
    struct range right = { r->values, mid, r->high, r->depth - 1 };
    if (r->depth > 0) {
        pthread_t t;
        pthread_create(&t, NULL, sort, &left);
        sort(&right);
        pthread_join(t, NULL);
    } else {
        sort(&left);
        sort(&right);
    }
    merge(r->values, r->low, mid, r->high);
    return NULL;
}

int main(void)
{
    int values[N];
    for (int i = 0; i < N; i++)
        values[i] = (i * 7 + 3) % N;
    struct range all = { values, 0, N, 2 };
    sort(&all);
    for (int i = 0; i + 1 < N; i++)
        assert(values[i] <= values[i + 1]);
    return 0;
}
