/* Workers run until SIGTERM sets the stop flag. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t got_signal;
static atomic_bool stop;

static void on_term(int sig)
{
    (void)sig;
    got_signal = 1;
}

static void *worker(void *arg)
{
    (void)arg;
    while (!atomic_load(&stop)) {
        sleep(1);
    }
    return NULL;
}

int main(void)
{
    struct sigaction sa;
    pthread_t t;

    memset(&sa, 0, sizeof sa);
    sa.sa_handler = on_term;
    sigemptyset(&sa.sa_mask);
    if (sigaction(SIGTERM, &sa, NULL) < 0) {
        perror("sigaction");
        return EXIT_FAILURE;
    }
    if (pthread_create(&t, NULL, worker, NULL) != 0)
        return EXIT_FAILURE;
    for (int i = 0; i < 3 && !got_signal; i++)
        sleep(1);
    atomic_store(&stop, true);
    pthread_join(t, NULL);
    puts(got_signal ? "interrupted" : "done");
    return EXIT_SUCCESS;
}
