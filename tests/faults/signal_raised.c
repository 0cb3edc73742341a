/* Handlers run before `raise` returns, or when the signal is unblocked; SIGTERM ends the program. */
#include <signal.h>
#include <assert.h>
#include <string.h>
static volatile sig_atomic_t got, order;
static void on(int s) { got += s; }
static void info(int s, siginfo_t *i, void *c) { (void)c; assert(i->si_signo == s); order = order * 10 + 1; raise(SIGUSR1); order = order * 10 + 2; }
int main(void) {
    struct sigaction a;
    memset(&a, 0, sizeof a);
    a.sa_handler = on;
    sigaction(SIGUSR1, &a, 0);
    raise(SIGUSR1);
    assert(got == 10);
    sigset_t s, old, p;
    sigemptyset(&s); sigaddset(&s, SIGUSR1);
    sigprocmask(SIG_BLOCK, &s, &old);
    raise(SIGUSR1);
    assert(got == 10);
    sigpending(&p);
    assert(sigismember(&p, SIGUSR1) == 1);
    sigprocmask(SIG_SETMASK, &old, 0);
    assert(got == 20);
    struct sigaction b;
    memset(&b, 0, sizeof b);
    b.sa_sigaction = info; b.sa_flags = SA_SIGINFO | SA_RESETHAND;
    sigaddset(&b.sa_mask, SIGUSR1);
    sigaction(SIGUSR2, &b, 0);
    raise(SIGUSR2);
    assert(order == 12 && got == 30);
    signal(SIGCHLD, SIG_DFL); raise(SIGCHLD);
    signal(SIGUSR2, SIG_IGN); raise(SIGUSR2);
    raise(SIGTERM);
    assert(0);
    return 0;
}
