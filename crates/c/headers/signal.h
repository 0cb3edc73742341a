#ifndef __AXLE_SIGNAL_H
#define __AXLE_SIGNAL_H
#include <sys/types.h>
/* Declared, so that programs can be read; calling them makes a verdict unknown. */
typedef int sig_atomic_t;
typedef void (*__sighandler_t)(int);
typedef __sighandler_t sighandler_t;
typedef unsigned long long sigset_t;
#define SIG_DFL ((__sighandler_t)0)
#define SIG_IGN ((__sighandler_t)1)
#define SIG_ERR ((__sighandler_t)-1)
#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGABRT 6
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGCHLD 17
#define SA_RESTART 0x10000000
#define SA_SIGINFO 4
#define SA_NOCLDSTOP 1
#define SA_NOCLDWAIT 2
#define SA_ONSTACK 0x08000000
#define SA_NODEFER 0x40000000
#define SA_RESETHAND 0x80000000
#define SA_NOMASK SA_NODEFER
#define SA_ONESHOT SA_RESETHAND
#define SA_STACK SA_ONSTACK
#define SIGIOT 6
#define SIGCLD 17
#define MINSIGSTKSZ 2048
#define SIGSTKSZ 8192
#define SS_ONSTACK 1
#define SS_DISABLE 2
#define SIGEV_SIGNAL 0
#define SIGEV_NONE 1
#define SIGEV_THREAD 2
#define SIGEV_THREAD_ID 4
#define SI_USER 0
#define SI_KERNEL 0x80
#define ILL_ILLOPC 1
#define FPE_INTDIV 1
#define FPE_INTOVF 2
#define FPE_FLTDIV 3
#define SEGV_MAPERR 1
#define SEGV_ACCERR 2
#define BUS_ADRALN 1
#define BUS_ADRERR 2
#define CLD_EXITED 1
#define CLD_KILLED 2
#define CLD_DUMPED 3
#define CLD_TRAPPED 4
#define CLD_STOPPED 5
#define CLD_CONTINUED 6
#define SI_QUEUE (-1)
#define SI_TIMER (-2)
#define SI_MESGQ (-3)
#define SI_ASYNCIO (-4)
#define SI_TKILL (-6)
#define SIGBUS 7
#define SIGTSTP 20
#define SIGTRAP 5
#define SIGSTKFLT 16
#define SIGCONT 18
#define SIGSTOP 19
#define SIGTTIN 21
#define SIGTTOU 22
#define SIGURG 23
#define SIGXCPU 24
#define SIGXFSZ 25
#define SIGVTALRM 26
#define SIGPROF 27
#define SIGWINCH 28
#define SIGIO 29
#define SIGPOLL 29
#define SIGPWR 30
#define SIGSYS 31
#define SIGRTMIN 34
#define SIGRTMAX 64
#define _NSIG 65
#define NSIG _NSIG
union sigval { int sival_int; void *sival_ptr; };
typedef union sigval sigval_t;
typedef struct { void *ss_sp; int ss_flags; size_t ss_size; } stack_t;
struct sigevent {
    union sigval sigev_value;
    int sigev_signo, sigev_notify;
    void (*sigev_notify_function)(union sigval);
    pthread_attr_t *sigev_notify_attributes;
};
typedef struct sigevent sigevent_t;
typedef struct { int si_signo, si_errno, si_code; pid_t si_pid; uid_t si_uid; int si_status; void *si_addr; union sigval si_value; } siginfo_t;
#define si_int si_value.sival_int
#define si_ptr si_value.sival_ptr
#define sigmask(n) (1 << ((n) - 1))
struct sigaction {
    union { __sighandler_t sa_handler; void (*sa_sigaction)(int, siginfo_t *, void *); };
    sigset_t sa_mask;
    int sa_flags;
};
__sighandler_t signal(int, __sighandler_t);
int sigaction(int, const struct sigaction *, struct sigaction *);
int raise(int);
int sigemptyset(sigset_t *);
int sigfillset(sigset_t *);
int sigaddset(sigset_t *, int);
int sigdelset(sigset_t *, int);
int sigismember(const sigset_t *, int);
int kill(pid_t, int);
int sigprocmask(int, const sigset_t *, sigset_t *);
int sigwait(const sigset_t *, int *);
int sigpending(sigset_t *);
int sigsuspend(const sigset_t *);
struct timespec;
int sigwaitinfo(const sigset_t *, siginfo_t *);
int sigtimedwait(const sigset_t *, siginfo_t *, const struct timespec *);
int sigqueue(pid_t, int, union sigval);
int sigaltstack(const stack_t *, stack_t *);
int siginterrupt(int, int);
int killpg(pid_t, int);
void psignal(int, const char *);
int pthread_sigqueue(pthread_t, int, union sigval);
int pthread_sigmask(int, const sigset_t *, sigset_t *);
int pthread_kill(pthread_t, int);
#endif
