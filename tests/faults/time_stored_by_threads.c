/* Threads store times and copy them; with READ, one decides. */
#include <stdlib.h>
#include <time.h>
#include <pthread.h>
#include <string.h>
static time_t started;
struct item { time_t made; int value; } *shared;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *w(void *a) { pthread_mutex_lock(&m); struct item c = *shared;
#ifdef READ
    if (c.made) c.value++;
#endif
    shared->value = c.value + 1; time(&shared->made); pthread_mutex_unlock(&m); return a; }
int main(void) {
    struct item *p = malloc(sizeof *p);
    started = time(0);
    time(&p->made);
    p->value = 0;
    shared = p;
    pthread_t t; pthread_create(&t, 0, w, 0); w(0); pthread_join(t, 0);
    int v = p->value;
    free(p);
    return v != 2;
}
