// Calls of library functions that the other programs of the tests do not make.
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <threads.h>
#include <unistd.h>

extern char __VERIFIER_nondet_char(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void reach_error(void);

static pthread_spinlock_t spin;
static pthread_rwlock_t rw;
static int counter;

static void input(void)
{
    __VERIFIER_nondet_char();
    __VERIFIER_nondet_short();
    __VERIFIER_nondet_ushort();
    __VERIFIER_nondet_ulong();
    getchar();
}

static void show(int kind, char *to, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    switch (kind) {
    case 0: vprintf(format, list); break;
    case 1: vfprintf(stdout, format, list); break;
    case 2: vsprintf(to, format, list); break;
    default: vsnprintf(to, 4, format, list);
    }
    va_end(list);
}

static void *count(void *arg)
{
    pthread_spin_lock(&spin);
    counter++;
    pthread_spin_unlock(&spin);
    sched_yield();
    if (pthread_spin_trylock(&spin) == 0) {
        counter++;
        pthread_spin_unlock(&spin);
    }
    pthread_rwlock_rdlock(&rw);
    pthread_rwlock_unlock(&rw);
    return arg;
}

static int finish(void *arg)
{
    thrd_exit(3);
}

int main(void)
{
    char text[16];
    pthread_t one;
    thrd_t two;
    int result;
    input();
    kill(getppid(), 0);
    kill(getpid(), SIGCHLD);
    for (int kind = 0; kind < 4; kind++) show(kind, text, "%d %s", kind, "x");
    fputc(text[0], stdout);
    fflush(stdout);
    pthread_spin_init(&spin, 0);
    pthread_rwlock_init(&rw, 0);
    pthread_create(&one, 0, count, 0);
    thrd_create(&two, finish, 0);
    count(0);
    if (pthread_equal(one, pthread_self())) return 1;
    pthread_join(one, 0);
    thrd_join(two, &result);
    pthread_spin_destroy(&spin);
    if (result == 3) reach_error();
    return 0;
}
