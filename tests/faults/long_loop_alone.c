#include <pthread.h>
#include <stdlib.h>
#ifndef N
#define N 1000000
#endif
/* Long loops that no other thread takes part in: before the first thread begins, and in one of two
   threads that share nothing. */
static unsigned sum, other[16];
static void *add(void *p) { for (int i = 0; i < N; i++) sum += i; return p; }
static void *fill(void *p) { for (int i = 0; i < N; i++) other[i % 16] = i; return p; }
int main(void) {
    pthread_t a, b;
    for (int i = 0; i < N / 10; i++) {
        unsigned *block = malloc(sizeof *block);
        *block = i;
        sum += *block;
        free(block);
    }
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, fill, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return sum == other[0];
}
