// sum of slices: every thread gets the address of the loop variable
#include <pthread.h>
#include <stdio.h>

#define N 6
#define T 2

int data[N] = {1, 2, 3, 4, 5, 6};
int sums[T];

void *sum_slice(void *p) {
    int id = *(int *)p;
    int from = id * (N / T);
    int to = from + N / T;
    int s = 0;
    for (int i = from; i < to; i++) {
        s += data[i];
    }
    sums[id] = s;
    return NULL;
}

int main() {
    pthread_t tid[T];
    int total = 0;

    for (int i = 0; i < T; i++) {
        pthread_create(&tid[i], NULL, sum_slice, &i);
    }
    for (int j = 0; j < T; j++) {
        pthread_join(tid[j], NULL);
        total += sums[j];
    }
    printf("total: %d\n", total);
    return 0;
}
