// `signal` returns the previous disposition; two signals are not distinguished.
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

int main(void)
{
    struct sigaction action = { .sa_handler = SIG_DFL, .sa_flags = SA_SIGINFO }, old;
    assert(signal(SIGUSR1, SIG_IGN) == SIG_DFL);
    assert(sigaction(SIGUSR1, NULL, &old) == 0 && old.sa_handler == SIG_IGN);
    assert(sigismember(&old.sa_mask, SIGUSR1) == 1);
    sigemptyset(&action.sa_mask);
    assert(sigaction(SIGUSR1, &action, &old) == 0 && old.sa_handler == SIG_IGN);
    assert(sigaction(SIGUSR1, &old, &action) == 0 && (action.sa_flags & SA_SIGINFO));
    assert(signal(SIGUSR1, SIG_DFL) == SIG_IGN);
    assert(signal(SIGKILL, SIG_IGN) == SIG_ERR && errno == EINVAL);
    assert(alarm(10) == 0);
    assert(alarm(0) > 0);
    assert(alarm(0) == 0);
}
