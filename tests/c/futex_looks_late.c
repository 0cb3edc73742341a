/* The waiting thread reads the futex word first and then waits for its current value: the wakeup is lost. */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int ready, turns;

static void *wait_for_it(void *unused) {
    if (!atomic_load(&ready))
        syscall(SYS_futex, &turns, FUTEX_WAIT, 0, NULL, NULL, 0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_it, NULL);
    atomic_store(&ready, 1);
    syscall(SYS_futex, &turns, FUTEX_WAKE, 1, NULL, NULL, 0);
    pthread_join(thread, NULL);
    return 0;
}
