// Two threads enter and leave their critical sections in infinite loops (Peterson).
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag[2], turn, inside[2];
static int entered;
static void enter(int me) { inside[me] = 1; entered++; }
static void leave(int me) { inside[me] = 0; }
static void *worker(void *arg) {
    int me = (int)(long)arg;
    for (;;) {
        flag[me] = 1;
        turn = 1 - me;
        while (flag[1 - me] && turn == 1 - me)
            ;
        enter(me);
        entered--;
        leave(me);
        flag[me] = 0;
    }
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, (void *)0L);
    pthread_create(&b, 0, worker, (void *)1L);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
