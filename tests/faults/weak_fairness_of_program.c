/* The report did not say that weak fairness excludes the cycle, in which main is never executed. */
#include <pthread.h>
#include <stdatomic.h>
atomic_int done, other;
static void *spin(void *unused) {
    while (!done) other = 1 - other;
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, spin, 0);
    done = 1;
    pthread_join(thread, 0);
    return 0;
}
