// Every thread gets the address of the loop counter.
#include <pthread.h>
static int seen[3];
static void *worker(void *arg) {
    int i = *(int *)arg;
    if (i < 3)
        seen[i] = 1;
    return 0;
}
int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, worker, &i);
    for (int j = 0; j < 2; j++)
        pthread_join(t[j], 0);
    return 0;
}
