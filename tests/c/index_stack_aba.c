/* A stack of indices: popping A and B and pushing A during another pop of A loses B. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

static atomic_int top = 0;          /* 0 -> 1 -> end (-1) */
static atomic_int next[2] = { 1, -1 };
static atomic_int owned[2];

static int pop(void)
{
    int n = atomic_load(&top);
    for (;;) {
        if (n < 0) return n;
        int after = atomic_load(&next[n]);
        if (atomic_compare_exchange_strong(&top, &n, after)) return n;
    }
}
static void push(int n)
{
    int old = atomic_load(&top);
    do atomic_store(&next[n], old); while (!atomic_compare_exchange_strong(&top, &old, n));
}
static void take(int n) { if (n >= 0) assert(atomic_fetch_add(&owned[n], 1) == 0); }
static void *one(void *arg) { int n = pop(); take(n); n = pop(); take(n); return 0; }
static void *two(void *arg)
{
    int a = pop();
    take(a);
    int b = pop();
    take(b);
    if (a >= 0) { atomic_fetch_sub(&owned[a], 1); push(a); }
    return 0;
}
int main(void)
{
    pthread_t x, y;
    pthread_create(&x, 0, one, 0);
    pthread_create(&y, 0, two, 0);
    pthread_join(x, 0);
    pthread_join(y, 0);
    return 0;
}
