/* More of library.c: attributes, and what is asked of the system about threads and processors. */
/* What is set is what is got, and what POSIX does not let be set is refused, as glibc does where it is left open. To look at what was
   never initialised is reported. */
struct __axle_attr { int detached, inherits, policy, scope, priority; size_t stack, guard; void *at; };
static int __axle_attribute(const struct __axle_attr *a, int fine) { return a->detached < 0 || !fine ? 22 : 0; }
int sched_get_priority_max(int policy)
{
    if (policy == 1 || policy == 2) return 99;
    if (policy == 0 || policy == 3 || policy == 5 || policy == 6) return 0;
    errno = 22;
    return -1;
}
int sched_get_priority_min(int policy)
{
    int most = sched_get_priority_max(policy);
    return most > 0 ? 1 : most;
}
/* Whether threads may have this policy, and this priority under it. */
static int __axle_is_policy(int policy) { return policy >= 0 && policy <= 2; }
static int __axle_is_priority(int policy, int priority)
{
    return policy == 1 || policy == 2 ? priority >= 1 && priority <= 99 : priority == 0;
}
int pthread_attr_init(struct __axle_attr *a)
{
    a->detached = a->inherits = a->policy = a->scope = a->priority = 0;
    a->stack = 8388608;
    a->guard = 4096;
    a->at = 0;
    return 0;
}
int pthread_attr_destroy(struct __axle_attr *a) { (void)a; return 0; }
int pthread_attr_setdetachstate(struct __axle_attr *a, int s)
{
    if (__axle_attribute(a, s == 0 || s == 1)) return 22;
    a->detached = s;
    return 0;
}
int pthread_attr_getdetachstate(const struct __axle_attr *a, int *s) { *s = a->detached; return 0; }
int pthread_attr_setstacksize(struct __axle_attr *a, size_t n)
{
    if (__axle_attribute(a, n >= 16384)) return 22;
    a->stack = n;
    return 0;
}
int pthread_attr_getstacksize(const struct __axle_attr *a, size_t *n) { *n = a->stack; return 0; }
int pthread_attr_setstack(struct __axle_attr *a, void *p, size_t n)
{
    if (__axle_attribute(a, n >= 16384)) return 22;
    a->at = p;
    a->stack = n;
    return 0;
}
int pthread_attr_getstack(const struct __axle_attr *a, void **p, size_t *n)
{
    if (!a->at) __axle_unsupported("the address of a stack that was not set (`pthread_attr_getstack`)");
    *p = a->at;
    *n = a->stack;
    return 0;
}
int pthread_attr_setguardsize(struct __axle_attr *a, size_t n)
{
    if (__axle_attribute(a, 1)) return 22;
    a->guard = n;
    return 0;
}
int pthread_attr_getguardsize(const struct __axle_attr *a, size_t *n) { *n = a->guard; return 0; }
/* Linux knows one of the two. */
int pthread_attr_setscope(struct __axle_attr *a, int s) { return __axle_attribute(a, s == 0 || s == 1) ? 22 : s ? 95 : 0; }
int pthread_attr_getscope(const struct __axle_attr *a, int *s) { *s = a->scope; return 0; }
int pthread_attr_setschedpolicy(struct __axle_attr *a, int s)
{
    if (__axle_attribute(a, __axle_is_policy(s))) return 22;
    a->policy = s;
    return 0;
}
int pthread_attr_getschedpolicy(const struct __axle_attr *a, int *s) { *s = a->policy; return 0; }
int pthread_attr_setschedparam(struct __axle_attr *a, const int *p)
{
    if (__axle_attribute(a, __axle_is_priority(a->policy, *p))) return 22;
    a->priority = *p;
    return 0;
}
int pthread_attr_getschedparam(const struct __axle_attr *a, int *p) { *p = a->priority; return 0; }
int pthread_attr_setaffinity_np(struct __axle_attr *a, size_t n, const void *s) { (void)a; (void)n; (void)s; return 0; }

/* Kind, sharing and the like are parts of one number. The two lowest bits of a mutex are its type, the fourth is that it is robust
   (`exec/sync.rs`). */
static int __axle_set_part(int *a, int at, int bits, int fine, int value)
{
    if (*a < 0 || !fine) return 22;
    *a = (*a & ~(((1 << bits) - 1) << at)) | value << at;
    return 0;
}
static int __axle_part(const int *a, int at, int bits) { return *a >> at & ((1 << bits) - 1); }
int pthread_mutexattr_init(int *a) { *a = 0; return 0; }
int pthread_mutexattr_destroy(int *a) { (void)a; return 0; }
int pthread_mutexattr_settype(int *a, int t) { return __axle_set_part(a, 0, 2, t >= 0 && t <= 3, t); }
int pthread_mutexattr_gettype(const int *a, int *t) { *t = __axle_part(a, 0, 2); return 0; }
int pthread_mutexattr_setpshared(int *a, int t) { return __axle_set_part(a, 2, 1, t == 0 || t == 1, t); }
int pthread_mutexattr_getpshared(const int *a, int *t) { *t = __axle_part(a, 2, 1); return 0; }
int pthread_mutexattr_setrobust(int *a, int t) { return __axle_set_part(a, 3, 1, t == 0 || t == 1, t); }
int pthread_mutexattr_getrobust(const int *a, int *t) { *t = __axle_part(a, 3, 1); return 0; }
int pthread_mutexattr_setprotocol(int *a, int t) { return __axle_set_part(a, 4, 2, t >= 0 && t <= 2, t); }
int pthread_mutexattr_getprotocol(const int *a, int *t) { *t = __axle_part(a, 4, 2); return 0; }
int pthread_mutexattr_setprioceiling(int *a, int t) { return __axle_set_part(a, 8, 7, t >= 1 && t <= 99, t); }
int pthread_mutexattr_getprioceiling(const int *a, int *t)
{
    int set = __axle_part(a, 8, 7);
    *t = set ? set : 1;
    return 0;
}
int pthread_condattr_init(int *a) { *a = 0; return 0; }
int pthread_condattr_destroy(int *a) { (void)a; return 0; }
int pthread_condattr_setclock(int *a, int c) { return __axle_set_part(a, 0, 1, c == 0 || c == 1, c); }
int pthread_condattr_getclock(const int *a, int *c) { *c = __axle_part(a, 0, 1); return 0; }
int pthread_condattr_setpshared(int *a, int t) { return __axle_set_part(a, 2, 1, t == 0 || t == 1, t); }
int pthread_condattr_getpshared(const int *a, int *t) { *t = __axle_part(a, 2, 1); return 0; }
int pthread_barrierattr_init(int *a) { *a = 0; return 0; }
int pthread_barrierattr_destroy(int *a) { (void)a; return 0; }
int pthread_barrierattr_setpshared(int *a, int t) { return __axle_set_part(a, 2, 1, t == 0 || t == 1, t); }
int pthread_barrierattr_getpshared(const int *a, int *t) { *t = __axle_part(a, 2, 1); return 0; }
int pthread_rwlockattr_init(int *a) { *a = 0; return 0; }
int pthread_rwlockattr_destroy(int *a) { (void)a; return 0; }
int pthread_rwlockattr_setpshared(int *a, int t) { return __axle_set_part(a, 2, 1, t == 0 || t == 1, t); }
int pthread_rwlockattr_getpshared(const int *a, int *t) { *t = __axle_part(a, 2, 1); return 0; }
/* That writers come first may lead to deadlocks that are not found here. */
int pthread_rwlockattr_setkind_np(int *a, int kind)
{
    if (kind == 2) __axle_unsupported("read-write locks that prefer writers (PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)");
    return __axle_set_part(a, 0, 2, kind >= 0 && kind <= 2, kind);
}
int pthread_rwlockattr_getkind_np(const int *a, int *kind) { *kind = __axle_part(a, 0, 2); return 0; }

/* Who runs when is for the search to try; what a thread's policy and priority are is not kept, and known only where none was changed. */
static int __axle_scheduled;
static void __axle_schedules(int changed) { if (changed) __atomic_store_n(&__axle_scheduled, 1, 5); }
int pthread_attr_setinheritsched(struct __axle_attr *a, int s)
{
    if (__axle_attribute(a, s == 0 || s == 1)) return 22;
    a->inherits = s;
    __axle_schedules(s);
    return 0;
}
int pthread_attr_getinheritsched(const struct __axle_attr *a, int *s) { *s = a->inherits; return 0; }
int pthread_setschedparam(unsigned long t, int policy, const int *p)
{
    (void)t;
    if (!__axle_is_policy(policy) && policy != 3 && policy != 5 || !__axle_is_priority(policy, *p)) return 22;
    __axle_schedules(policy || *p);
    return 0;
}
int pthread_getschedparam(unsigned long t, int *policy, int *p)
{
    (void)t;
    if (__atomic_load_n(&__axle_scheduled, 5)) __axle_unsupported("priorities and scheduling policies of threads");
    *policy = *p = 0;
    return 0;
}
int pthread_setschedprio(unsigned long t, int priority) { (void)t; __axle_schedules(priority); return 0; }
int sched_setscheduler(int p, int policy, const void *s) { (void)p; (void)s; __axle_schedules(policy); return 0; }
int sched_setparam(int p, const int *s) { (void)p; __axle_schedules(*s); return 0; }
static int __axle_concurrency;
int pthread_setconcurrency(int n)
{
    if (n < 0) return 22;
    __atomic_store_n(&__axle_concurrency, n, 5);
    return 0;
}
int pthread_getconcurrency(void) { return __atomic_load_n(&__axle_concurrency, 5); }
int pthread_setaffinity_np(unsigned long t, size_t n, const void *s) { (void)t; (void)n; (void)s; return 0; }
int __sched_cpucount(size_t n, const unsigned long *s)
{
    int count = 0;
    for (size_t i = 0; i < n / sizeof *s; i++) count += __builtin_popcountl(s[i]);
    return count;
}
/* Linux keeps 15 characters. */
int pthread_setname_np(unsigned long t, const char *s) { (void)t; return strlen(s) > 15 ? 34 : 0; }
int sched_setaffinity(int p, size_t n, const void *s) { (void)p; (void)n; (void)s; return 0; }
int prctl(int what, ...) { (void)what; return 0; }
