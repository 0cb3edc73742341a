/* A thread inherits the signal mask of its creator; each thread has its own mask afterwards. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>

static void *worker(void *arg)
{
    sigset_t now, one;
    (void)arg;
    assert(pthread_sigmask(SIG_BLOCK, 0, &now) == 0);
    assert(sigismember(&now, SIGUSR1) == 1 && sigismember(&now, SIGUSR2) == 0);
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    assert(pthread_sigmask(SIG_UNBLOCK, &one, 0) == 0);
    pthread_sigmask(SIG_SETMASK, 0, &now);
    assert(sigismember(&now, SIGUSR1) == 0);
    return 0;
}

int main(void)
{
    pthread_t t;
    sigset_t set, old;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGKILL);
    assert(pthread_sigmask(SIG_SETMASK, &set, &old) == 0);
    assert(sigismember(&old, SIGUSR1) == 0);
    pthread_create(&t, 0, worker, 0);
    assert(sigprocmask(7, &set, 0) == -1 && errno == EINVAL);
    assert(sigprocmask(SIG_BLOCK, 0, &old) == 0);
    assert(sigismember(&old, SIGUSR1) == 1 && sigismember(&old, SIGKILL) == 0);
    pthread_join(t, 0);
    return 0;
}
