#include <pthread.h>
#include <stdlib.h>
/* The race is between main, before it waits for anything, and a thread whose loop allocates. */
static int hits;
static void *bump(void *p) {
    for (int i = 0; i < 1000000; i++) {
        int *block = malloc(sizeof *block);
        *block = i;
        hits += *block & 1;
        free(block);
    }
    return p;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, bump, 0);
    for (int i = 0; i < 1000000; i++) hits++;
    pthread_join(a, 0);
    return 0;
}
