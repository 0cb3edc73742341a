// An observer is freed while the subject is about to call it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct observer { atomic_int seen; };
static _Atomic(struct observer *) current;
static void *subject(void *arg) {
    struct observer *o = current;
    if (o)
        o->seen++;
    return arg;
}
int main(void) {
    pthread_t s;
    struct observer *mine = malloc(sizeof *mine);
    atomic_init(&mine->seen, 0);
    current = mine;
    pthread_create(&s, 0, subject, 0);
    current = 0;
    free(mine);
    pthread_join(s, 0);
    return 0;
}
