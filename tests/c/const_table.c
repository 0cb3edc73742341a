/* A const object can be read by all threads without scheduling points. */
#include <assert.h>
#include <pthread.h>
static const int table[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
static int sums[2];
static void *sum(void *arg)
{
    int row = *(int *)arg;
    for (int i = 0; i < 3; i++) sums[row] += table[row][i];
    return 0;
}
int main(void)
{
    pthread_t t[2];
    int rows[2] = { 0, 1 };
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, sum, &rows[i]);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    assert(sums[0] == 6 && sums[1] == 15);
    return 0;
}
