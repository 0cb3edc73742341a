// The sums of the workers do not overflow, their total does.
#include <limits.h>
#include <pthread.h>
static void *worker(void *arg) {
    int *part = arg;
    *part = INT_MAX / 2 + 1;
    return 0;
}
int main(void) {
    pthread_t t[2];
    int part[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, worker, &part[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    int sum = part[0] + part[1];
    return sum < 0;
}
