/* The same without a violation: the program is correct if no signal arrives. */
#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t stopped;

static void stop(int number) {
    (void)number;
    stopped = 1;
}

int main(void) {
    struct sigaction action = { .sa_handler = stop };
    sigaction(SIGINT, &action, 0);
    for (int i = 0; i < 3 && !stopped; i++)
        puts("again");
    return 0;
}
