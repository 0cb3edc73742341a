/* System options that are equal on every machine of this kind do not make the verdict unknown. */
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

int main(void) {
    sigset_t some;
    sigemptyset(&some);
    if (sigaddset(&some, 0) == 0 || sigaddset(&some, 4711) == 0 || sigaddset(&some, SIGUSR1) != 0)
        return *(int *)0;
    if (sigismember(&some, SIGUSR1) != 1 || sigismember(&some, SIGUSR2) != 0)
        return *(int *)0;
    if (sysconf(_SC_THREADS) < 200112 || sysconf(_SC_BARRIERS) < 200112 || sysconf(_SC_PAGESIZE) != 4096)
        return *(int *)0;
    return sysconf(_SC_THREAD_DESTRUCTOR_ITERATIONS) == PTHREAD_DESTRUCTOR_ITERATIONS ? 0 : *(int *)0;
}
