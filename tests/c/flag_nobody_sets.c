/* The writer has ended: a thread that still waits waits forever, although no visible transition remains. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;
static void *set(void *arg) { flag = 1; flag = 0; return arg; }
static void *wait_for(void *arg)
{
    while (!flag) {
        struct { int a, b; } pause = { 0, 0 };
        int *p = &pause.a;
        *p = pause.b;
    }
    return arg;
}
int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], 0, set, 0);
    pthread_create(&t[1], 0, wait_for, 0);
    pthread_create(&t[2], 0, wait_for, 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    return 0;
}
