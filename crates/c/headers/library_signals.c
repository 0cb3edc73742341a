/* More of library.c: signals. No signal arrives from outside the program, which is an assumption of the verdict. A signal that a
   thread sends to itself is delivered before the call returns (POSIX.1-2017, `raise`, `kill`), or pending while it is blocked. A
   handler that may interrupt any step of a thread is not executed, and `__axle_signal_elsewhere` makes the verdict unknown. */
typedef void (*__axle_handler)(int);
struct __axle_sigaction { __axle_handler handler; unsigned long long mask; int flags; };
struct __axle_siginfo { int number, error, code, process; unsigned user; int status; void *address, *value; };
static struct __axle_sigaction __axle_actions[65];
void __axle_signal_handled(void);
void __axle_signal_elsewhere(void);
int __axle_creates_threads(void);
unsigned long pthread_self(void);
_Noreturn void _exit(int);
_Noreturn void abort(void);

int sigemptyset(unsigned long long *s) { *s = 0; return 0; }
int sigfillset(unsigned long long *s) { *s = ~(3ull << 31); return 0; }
/* glibc keeps two for itself. */
static int __axle_is_signal(int n) { return n >= 1 && n <= 64 && n != 32 && n != 33; }
static int __axle_no_signal(int n) { if (__axle_is_signal(n)) return 0; errno = 22; return 1; }
int sigaddset(unsigned long long *s, int n) { if (__axle_no_signal(n)) return -1; *s |= 1ull << (n - 1); return 0; }
int sigdelset(unsigned long long *s, int n) { if (__axle_no_signal(n)) return -1; *s &= ~(1ull << (n - 1)); return 0; }
int sigismember(const unsigned long long *s, int n) { return __axle_no_signal(n) ? -1 : (int)(*s >> (n - 1) & 1); }

static int __axle_is_function(__axle_handler h) { return h != (__axle_handler)0 && h != (__axle_handler)1; }
/* SIGCHLD, SIGCONT, SIGURG and SIGWINCH have no effect by default. */
static int __axle_is_ignored(int n, __axle_handler h)
{
    return h == (__axle_handler)1 || (h == (__axle_handler)0 && (n == 17 || n == 18 || n == 23 || n == 28));
}
/* The mask is stored to be returned, and inherited by created threads (`exec/thread.rs`). SIGKILL and SIGSTOP are never blocked. */
static _Thread_local unsigned long long __axle_signal_mask, __axle_signals_pending;
static void __axle_deliver(int n);
static void __axle_block(unsigned long long mask)
{
    __axle_signal_mask = mask & ~(1ull << 8 | 1ull << 18);
    for (int n = 1; n <= 64 && __axle_signals_pending; n++) {
        unsigned long long bit = 1ull << (n - 1);
        if (!(__axle_signals_pending & ~__axle_signal_mask & bit)) continue;
        __axle_signals_pending &= ~bit;
        __axle_deliver(n);
    }
}
static void __axle_deliver(int n)
{
    struct __axle_sigaction *kept = &__axle_actions[n];
    __axle_handler handler = __atomic_load_n(&kept->handler, 5);
    unsigned long long mask = __atomic_load_n(&kept->mask, 5), was = __axle_signal_mask;
    int flags = __atomic_load_n(&kept->flags, 5);
    if (__axle_is_ignored(n, handler)) return;
    if (!__axle_is_function(handler)) {
        if (n == 6) abort();
        /* Those that stop the process. */
        if (n >= 19 && n <= 22) { __axle_signal_elsewhere(); return; }
        _exit(128 + n);
    }
    if (flags & (int)0x80000000) __atomic_store_n(&kept->handler, (__axle_handler)0, 5);
    if (!(flags & 0x40000000)) mask |= 1ull << (n - 1);
    __axle_signal_mask = (was | mask) & ~(1ull << 8 | 1ull << 18);
    if (flags & 4) {
        struct __axle_siginfo info = { .number = n, .code = -6, .process = 1000 };
        ((void (*)(int, void *, void *))handler)(n, &info, 0);
    } else handler(n);
    __axle_block(was);
}
static void __axle_send_here(int n)
{
    unsigned long long bit = 1ull << (n - 1);
    if (__axle_signal_mask & bit) __axle_signals_pending |= bit;
    else __axle_deliver(n);
}
int raise(int n)
{
    if (n && __axle_no_signal(n)) return -1;
    if (n) __axle_send_here(n);
    return 0;
}
/* Another thread may have blocked the signal, whatever is done by default. */
static void __axle_send_elsewhere(int n)
{
    if (!__axle_is_ignored(n, __atomic_load_n(&__axle_actions[n].handler, 5))) __axle_signal_elsewhere();
}
int pthread_kill(unsigned long thread, int n)
{
    if (n && !__axle_is_signal(n)) return 22;
    if (thread == pthread_self()) { if (n) __axle_send_here(n); }
    else if (n) __axle_send_elsewhere(n);
    else __axle_signal_elsewhere();
    return 0;
}
/* A signal for the process is delivered to any thread that does not block it. The process has the number that `getpid` gives. */
int kill(int process, int n)
{
    if (n && __axle_no_signal(n)) return -1;
    if (process != 1000 && process != 0) __axle_signal_elsewhere();
    else if (n && !__axle_creates_threads()) __axle_send_here(n);
    else if (n) {
        __axle_send_elsewhere(n);
        __axle_send_here(n);
    }
    return 0;
}
int pthread_sigmask(int how, const unsigned long long *s, unsigned long long *old)
{
    unsigned long long was = __axle_signal_mask, is = was;
    if (s) {
        if (how == 0) is |= *s;
        else if (how == 1) is &= ~*s;
        else if (how == 2) is = *s;
        else return 22;
    }
    if (old) *old = was;
    if (s) __axle_block(is);
    return 0;
}
int sigprocmask(int how, const unsigned long long *s, unsigned long long *old)
{
    int refused = pthread_sigmask(how, s, old);
    if (!refused) return 0;
    errno = refused;
    return -1;
}
int sigpending(unsigned long long *s) { *s = __axle_signals_pending; return 0; }

/* An alarm without a handler only ends the program early. An alarm with a handler may end an apparent deadlock
   (`exec/explore.rs` looks at these two), and its handler may run at any time. */
static unsigned __axle_alarm_set, __axle_alarm_handled;
static void __axle_expect_alarm(void)
{
    if (__atomic_load_n(&__axle_alarm_set, 5) && __atomic_load_n(&__axle_alarm_handled, 5)) __axle_signal_elsewhere();
}
unsigned alarm(unsigned n)
{
    unsigned was = __atomic_exchange_n(&__axle_alarm_set, n, 5);
    __axle_expect_alarm();
    return was;
}

/* The requested action is returned by the next call. Two signals cannot be handled. */
static int __axle_no_action(int n, int change) { if (change && (n == 9 || n == 19)) { errno = 22; return 1; } return __axle_no_signal(n); }
int sigaction(int number, const struct __axle_sigaction *act, struct __axle_sigaction *old)
{
    if (__axle_no_action(number, act != 0)) return -1;
    struct __axle_sigaction *kept = &__axle_actions[number], to;
    if (act) to = *act;
    if (old) {
        old->handler = __atomic_load_n(&kept->handler, 5);
        old->mask = __atomic_load_n(&kept->mask, 5);
        old->flags = __atomic_load_n(&kept->flags, 5);
    }
    if (!act) return 0;
    __atomic_store_n(&kept->handler, to.handler, 5);
    __atomic_store_n(&kept->mask, to.mask, 5);
    __atomic_store_n(&kept->flags, to.flags, 5);
    if (number == 14) {
        __atomic_store_n(&__axle_alarm_handled, __axle_is_function(to.handler), 5);
        __axle_expect_alarm();
    }
    if (__axle_is_function(to.handler)) __axle_signal_handled();
    else if (__axle_is_ignored(number, to.handler)) __axle_signals_pending &= ~(1ull << (number - 1));
    return 0;
}
__axle_handler signal(int number, __axle_handler handler)
{
    struct __axle_sigaction act = { handler, 0, 0x10000000 }, old;
    if (number >= 1 && number <= 64) act.mask = 1ull << (number - 1);
    return sigaction(number, &act, &old) ? (__axle_handler)-1 : old.handler;
}
/* `abort` raises its signal, blocked or not, before it ends the program (POSIX.1-2017). */
void __axle_before_abort(void) { if (__axle_is_function(__atomic_load_n(&__axle_actions[6].handler, 5))) __axle_deliver(6); }
