/* Functions of the C library in C: those that call back, and those whose single accesses are nothing special. */
#include <stddef.h>
#include <stdint.h>

/* A feature that is not modelled: the verdict is unknown at the call of the library in the program. The lowering replaces the call. */
void __axle_unsupported(const char *feature);

int getpid(void);
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t);
size_t strlen(const char *);
_Thread_local int errno;
int *__errno_location(void) { return &errno; }

/* What glibc's headers call their streams: the third is not printed. */
static char __axle_streams[12];
char *stdin = __axle_streams, *stdout = __axle_streams + 4, *stderr = __axle_streams + 8;

int abs(int v) { return v < 0 ? -v : v; }
long labs(long v) { return v < 0 ? -v : v; }
long long llabs(long long v) { return v < 0 ? -v : v; }

int isdigit(int c) { return c >= '0' && c <= '9'; }
int islower(int c) { return c >= 'a' && c <= 'z'; }
int isupper(int c) { return c >= 'A' && c <= 'Z'; }
int isalpha(int c) { return islower(c) || isupper(c); }
int isalnum(int c) { return isalpha(c) || isdigit(c); }
int isxdigit(int c) { return isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
int isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
int isascii(int c) { return (c & ~127) == 0; }
int toascii(int c) { return c & 127; }
int isblank(int c) { return c == ' ' || c == '\t'; }
int isprint(int c) { return c >= 32 && c < 127; }
int isgraph(int c) { return c > 32 && c < 127; }
int iscntrl(int c) { return (c >= 0 && c < 32) || c == 127; }
int ispunct(int c) { return isgraph(c) && !isalnum(c); }
int tolower(int c) { return isupper(c) ? c + 32 : c; }
int toupper(int c) { return islower(c) ? c - 32 : c; }

size_t strnlen(const char *s, size_t n) { size_t i = 0; while (i < n && s[i]) i++; return i; }
/* Strings are copied by `memcpy`, which tells where they overlap. */
char *strcpy(char *d, const char *s) { memcpy(d, s, strlen(s) + 1); return d; }
char *strncpy(char *d, const char *s, size_t n)
{
    size_t given = strnlen(s, n);
    memcpy(d, s, given);
    memset(d + given, 0, n - given);
    return d;
}
char *strcat(char *d, const char *s) { strcpy(d + strlen(d), s); return d; }
char *strncat(char *d, const char *s, size_t n)
{
    size_t e = strlen(d), given = strnlen(s, n);
    memcpy(d + e, s, given);
    d[e + given] = 0;
    return d;
}
int strcmp(const char *a, const char *b)
{
    size_t i = 0;
    for (;;) {
        unsigned char x = a[i], y = b[i];
        if (x != y || !x) return x - y;
        i++;
    }
}
int strncmp(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char x = a[i], y = b[i];
        if (x != y || !x) return x - y;
    }
    return 0;
}
int strcasecmp(const char *a, const char *b)
{
    size_t i = 0;
    for (;;) {
        int x = tolower((unsigned char)a[i]), y = tolower((unsigned char)b[i]);
        if (x != y || !x) return x - y;
        i++;
    }
}
int strncasecmp(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int x = tolower((unsigned char)a[i]), y = tolower((unsigned char)b[i]);
        if (x != y || !x) return x - y;
    }
    return 0;
}
char *strchr(const char *s, int c)
{
    for (;; s++) {
        if (*s == (char)c) return (char *)s;
        if (!*s) return 0;
    }
}
char *strrchr(const char *s, int c)
{
    const char *found = 0;
    for (;; s++) {
        if (*s == (char)c) found = s;
        if (!*s) return (char *)found;
    }
}
char *strstr(const char *s, const char *t)
{
    for (;; s++) {
        size_t i = 0;
        while (t[i] && s[i] == t[i]) i++;
        if (!t[i]) return (char *)s;
        if (!*s) return 0;
    }
}
size_t strspn(const char *s, const char *set) { size_t i = 0; while (s[i] && strchr(set, s[i])) i++; return i; }
size_t strcspn(const char *s, const char *set) { size_t i = 0; while (s[i] && !strchr(set, s[i])) i++; return i; }
char *strpbrk(const char *s, const char *set) { s += strcspn(s, set); return *s ? (char *)s : 0; }
char *strtok_r(char *s, const char *set, char **at)
{
    if (!s) s = *at;
    s += strspn(s, set);
    if (!*s) { *at = s; return 0; }
    char *end = s + strcspn(s, set);
    if (*end) *end++ = 0;
    *at = end;
    return s;
}
static char *__axle_strtok_at;
char *strtok(char *s, const char *set) { return strtok_r(s, set, &__axle_strtok_at); }
void *malloc(size_t);
char *strdup(const char *s)
{
    size_t n = strlen(s) + 1;
    char *p = malloc(n);
    if (p) memcpy(p, s, n);
    return p;
}
char *stpcpy(char *d, const char *s) { size_t n = strlen(s); memcpy(d, s, n + 1); return d + n; }
size_t strlcpy(char *d, const char *s, size_t n)
{
    size_t i = 0;
    for (; i + 1 < n && s[i]; i++) d[i] = s[i];
    if (n) d[i] = 0;
    return strlen(s);
}
size_t strlcat(char *d, const char *s, size_t n)
{
    size_t e = strnlen(d, n);
    return e == n ? n + strlen(s) : e + strlcpy(d + e, s, n - e);
}
char *strsep(char **at, const char *set)
{
    char *s = *at;
    if (!s) return 0;
    char *end = s + strcspn(s, set);
    *at = *end ? end + 1 : 0;
    *end = 0;
    return s;
}
char *strcasestr(const char *s, const char *t)
{
    size_t n = strlen(t);
    for (;; s++) {
        if (strncasecmp(s, t, n) == 0) return (char *)s;
        if (!*s) return 0;
    }
}
char *strchrnul(const char *s, int c) { while (*s && *s != (char)c) s++; return (char *)s; }
int strcoll(const char *a, const char *b) { return strcmp(a, b); }
void *mempcpy(void *d, const void *s, size_t n) { return (char *)memcpy(d, s, n) + n; }
char *strndup(const char *s, size_t n)
{
    n = strnlen(s, n);
    char *p = malloc(n + 1);
    if (p) { memcpy(p, s, n); p[n] = 0; }
    return p;
}
char *strerror(int e) { return (char *)(e ? "error" : "success"); }
char *__axle_gnu_strerror_r(int e, char *to, size_t n) { (void)to; (void)n; return strerror(e); }
int strerror_r(int e, char *to, size_t n)
{
    const char *s = e ? "error" : "success";
    strlcpy(to, s, n);
    return strlen(s) < n ? 0 : 34;
}
void *memchr(const void *s, int c, size_t n)
{
    const unsigned char *p = s;
    for (size_t i = 0; i < n; i++) if (p[i] == (unsigned char)c) return (void *)(p + i);
    return 0;
}
void *memrchr(const void *s, int c, size_t n)
{
    const unsigned char *p = s;
    while (n--) if (p[n] == (unsigned char)c) return (void *)(p + n);
    return 0;
}
void *memmem(const void *s, size_t n, const void *part, size_t m)
{
    const char *p = s;
    for (size_t i = 0; m <= n && i <= n - m; i++) if (!memcmp(p + i, part, m)) return (void *)(p + i);
    return 0;
}
void *memccpy(void *to, const void *from, int c, size_t n)
{
    unsigned char *p = to;
    const unsigned char *q = from;
    while (n--) if ((*p++ = *q++) == (unsigned char)c) return p;
    return 0;
}
char *stpncpy(char *to, const char *from, size_t n)
{
    size_t i = 0;
    for (; i < n && from[i]; i++) to[i] = from[i];
    memset(to + i, 0, n - i);
    return to + i;
}
void bzero(void *s, size_t n) { memset(s, 0, n); }
void explicit_bzero(void *s, size_t n) { memset(s, 0, n); }
void bcopy(const void *from, void *to, size_t n) { memmove(to, from, n); }
int bcmp(const void *a, const void *b, size_t n) { return memcmp(a, b, n); }
char *index(const char *s, int c) { return strchr(s, c); }
char *rindex(const char *s, int c) { return strrchr(s, c); }

/* A number in a text: its size, cut off at `most` (or `least` below zero) and errno set where it is beyond. `how`: 1 for
   a minus, 2 for beyond. */
static unsigned long long __axle_number(const char *s, char **end, int base, unsigned long long most, unsigned long long least, int *how)
{
    const char *start = s;
    int any = 0;
    unsigned long long v = 0;
    *how = 0;
    if (base < 0 || base == 1 || base > 36) {
        errno = 22;
        if (end) *end = (char *)s;
        return 0;
    }
    while (isspace((unsigned char)*s)) s++;
    if (*s == '+' || *s == '-') *how = *s++ == '-';
    if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && isxdigit((unsigned char)s[2])) { s += 2; base = 16; }
    if (base == 0) base = *s == '0' ? 8 : 10;
    unsigned long long limit = *how ? least : most;
    for (;; s++) {
        int c = (unsigned char)*s, d;
        if (isdigit(c)) d = c - '0'; else if (isalpha(c)) d = tolower(c) - 'a' + 10; else break;
        if (d >= base) break;
        if (v > (limit - d) / base) *how |= 2; else v = v * base + d;
        any = 1;
    }
    if (end) *end = (char *)(any ? s : start);
    if (*how & 2) { errno = 34; v = limit; }
    return v;
}
unsigned long long strtoull(const char *s, char **end, int base)
{
    int how;
    unsigned long long v = __axle_number(s, end, base, -1ull, -1ull, &how);
    /* What is beyond is the largest number, whatever its sign. */
    return how == 1 ? -v : v;
}
unsigned long strtoul(const char *s, char **end, int base)
{
    int how;
    unsigned long v = __axle_number(s, end, base, -1ul, -1ul, &how);
    return how == 1 ? -v : v;
}
long long strtoll(const char *s, char **end, int base)
{
    int how;
    unsigned long long v = __axle_number(s, end, base, -1ull >> 1, (-1ull >> 1) + 1, &how);
    return (long long)(how & 1 ? -v : v);
}
long strtol(const char *s, char **end, int base)
{
    int how;
    unsigned long v = __axle_number(s, end, base, -1ul >> 1, (-1ul >> 1) + 1, &how);
    return (long)(how & 1 ? -v : v);
}
/* Undefined where the type cannot hold the number (7.22.1p1): the arithmetic says so. */
static int __axle_minus(const char **s)
{
    while (isspace((unsigned char)**s)) ++*s;
    return (**s == '+' || **s == '-') && *(*s)++ == '-';
}
int atoi(const char *s)
{
    int minus = __axle_minus(&s), v = 0;
    for (; isdigit((unsigned char)*s); s++) v = minus ? v * 10 - (*s - '0') : v * 10 + (*s - '0');
    return v;
}
long atol(const char *s)
{
    int minus = __axle_minus(&s);
    long v = 0;
    for (; isdigit((unsigned char)*s); s++) v = minus ? v * 10 - (*s - '0') : v * 10 + (*s - '0');
    return v;
}
long long atoll(const char *s)
{
    int minus = __axle_minus(&s);
    long long v = 0;
    for (; isdigit((unsigned char)*s); s++) v = minus ? v * 10 - (*s - '0') : v * 10 + (*s - '0');
    return v;
}

static void __axle_swap(unsigned char *a, unsigned char *b, size_t size)
{
    unsigned char t[64];
    for (; size; size -= size < 64 ? size : 64, a += 64, b += 64) {
        size_t n = size < 64 ? size : 64;
        memcpy(t, a, n); memcpy(a, b, n); memcpy(b, t, n);
    }
}
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    unsigned char *p = base;
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0 && compare(p + (j - 1) * size, p + j * size) > 0; j--)
            __axle_swap(p + (j - 1) * size, p + j * size, size);
}
void *bsearch(const void *key, const void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const void *at = (const char *)base + middle * size;
        int c = compare(key, at);
        if (c == 0) return (void *)at;
        if (c < 0) high = middle; else low = middle + 1;
    }
    return 0;
}
int posix_memalign(void **p, size_t align, size_t size) { (void)align; *p = malloc(size); return *p ? 0 : 12; }
typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
div_t div(int a, int b) { div_t r = { a / b, a % b }; return r; }
ldiv_t ldiv(long a, long b) { ldiv_t r = { a / b, a % b }; return r; }
double difftime(long a, long b) { return (double)(a - b); }
int __axle_once_begin(int *);
void __axle_once_end(int *);
int pthread_once(int *once, void (*f)(void))
{
    if (__axle_once_begin(once)) { f(); __axle_once_end(once); }
    return 0;
}

/* Thread-specific data. Destructors run at the end of a thread, as often as POSIX allows. A key that was deleted has none any more,
   and its number is not given again: values that threads have stored under it have no owner (0: never given, 1: in use, 2: deleted). What is
   no key holds nothing, and takes nothing: POSIX leaves that open, and glibc says so. */
static struct { int used; void (*destroy)(void *); } __axle_keys[32];
static _Thread_local void *__axle_values[32];
int pthread_key_create(unsigned *key, void (*destroy)(void *))
{
    for (unsigned i = 0; i < 32; i++)
        if (__sync_bool_compare_and_swap(&__axle_keys[i].used, 0, 1)) {
            __axle_keys[i].destroy = destroy;
            *key = i;
            return 0;
        }
    __axle_unsupported("more than 32 keys of thread-specific data (`pthread_key_create`)");
    return 11;
}
int pthread_key_delete(unsigned key) { return key < 32 && __sync_bool_compare_and_swap(&__axle_keys[key].used, 1, 2) ? 0 : 22; }
static int __axle_is_key(unsigned key) { return key < 32 && __atomic_load_n(&__axle_keys[key].used, 5) == 1; }
int pthread_setspecific(unsigned key, const void *value)
{
    if (!__axle_is_key(key)) return 22;
    __axle_values[key] = (void *)value;
    return 0;
}
void *pthread_getspecific(unsigned key) { return __axle_is_key(key) ? __axle_values[key] : 0; }
void __axle_run_destructors(void)
{
    int again = 1;
    for (int round = 0; again && round < 4; round++) {
        again = 0;
        for (int i = 0; i < 32; i++) {
            void *value = __axle_values[i];
            if (value && __atomic_load_n(&__axle_keys[i].used, 5) == 1 && __axle_keys[i].destroy) {
                __axle_values[i] = 0;
                __axle_keys[i].destroy(value);
                again = 1;
            }
        }
    }
}

/* Cancellation (`exec/cancel.rs`), and what is to be done by a thread that ends so or by `pthread_exit`. */
int __axle_cancel(unsigned long);
int __axle_cancel_state(int);
int __axle_cancel_type(int);
void __axle_thread_end(void *);
void pthread_testcancel(void);
int pthread_cancel(unsigned long thread) { return __axle_cancel(thread); }
int pthread_setcancelstate(int state, int *old)
{
    if (state != 0 && state != 1) return 22;
    int was = __axle_cancel_state(state);
    if (old) *old = was;
    return 0;
}
static _Thread_local int __axle_canceltype;
int pthread_setcanceltype(int type, int *old)
{
    if (type != 0 && type != 1) return 22;
    __axle_cancel_type(type);
    if (old) *old = __axle_canceltype;
    __axle_canceltype = type;
    return 0;
}
struct __axle_cleanup { void (*run)(void *); void *arg; struct __axle_cleanup *next; };
static _Thread_local struct __axle_cleanup *__axle_cleanups;
void __axle_cleanup_push(struct __axle_cleanup *c, void (*run)(void *), void *arg)
{
    c->run = run;
    c->arg = arg;
    c->next = __axle_cleanups;
    __axle_cleanups = c;
}
void __axle_cleanup_pop(struct __axle_cleanup *c, int execute)
{
    __axle_cleanups = c->next;
    if (execute) c->run(c->arg);
}
/* In programs that cancel threads: a thread that is cancelled in `f` leaves the state as if it had never called. */
static void __axle_once_undone(void *once) { __atomic_store_n((int *)once, 0, 5); }
int __axle_cancellable_once(int *once, void (*f)(void))
{
    struct __axle_cleanup undo;
    if (!__axle_once_begin(once)) return 0;
    __axle_cleanup_push(&undo, __axle_once_undone, once);
    f();
    __axle_cleanup_pop(&undo, 0);
    __axle_once_end(once);
    return 0;
}
void __axle_leave(void *value)
{
    while (__axle_cleanups) {
        struct __axle_cleanup *c = __axle_cleanups;
        __axle_cleanups = c->next;
        c->run(c->arg);
    }
    __axle_thread_end(value);
}

int sched_getcpu(void) { return 0; }
int sched_getaffinity(int p, size_t n, void *s) { (void)p; memset(s, 0, n); *(unsigned char *)s = 15; return getpid() < 0; }
int pthread_getaffinity_np(unsigned long t, size_t n, void *s) { (void)t; memset(s, 0, n); *(unsigned char *)s = 15; return getpid() < 0; }
long sysconf(int);
int get_nprocs(void) { return (int)sysconf(84); }
int get_nprocs_conf(void) { return (int)sysconf(83); }
int getpagesize(void) { return 4096; }
int nice(int n) { (void)n; return 0; }
int setpriority(int which, unsigned who, int n) { (void)which; (void)who; (void)n; return 0; }
int pthread_atfork(void (*a)(void), void (*b)(void), void (*c)(void)) { (void)a; (void)b; (void)c; return 0; }
void openlog(const char *s, int how, int what) { (void)s; (void)how; (void)what; }
void syslog(int how, const char *format, ...) { (void)how; (void)format; }
void closelog(void) {}
int madvise(void *p, size_t n, int how) { (void)p; (void)n; (void)how; return 0; }
int mlockall(int how) { (void)how; return 0; }
void setlinebuf(void *file) { (void)file; }
/* Numbers of threads, in the order in which threads ask; the main thread has that of the process. */
int __axle_is_main(void);
static _Thread_local int __axle_number_of_thread;
static int __axle_numbers;
int gettid(void)
{
    int process = getpid();
    if (__axle_is_main()) return process;
    if (!__axle_number_of_thread) __axle_number_of_thread = __sync_add_and_fetch(&__axle_numbers, 1);
    return process + __axle_number_of_thread;
}
char *setlocale(int what, const char *name) { (void)what; (void)name; return (char *)"C"; }

int ffsll(long long v) { for (int i = 0; i < 64; i++) if ((unsigned long long)v >> i & 1) return i + 1; return 0; }
int ffsl(long v) { return ffsll((long long)v); }
int ffs(int v) { for (int i = 0; i < 32; i++) if ((unsigned)v >> i & 1) return i + 1; return 0; }
/* The bytes are read, as copying them would. */
static void __axle_read(const void *p, size_t n)
{
    void free(void *);
    void *t = n ? malloc(n) : 0;
    if (t) { memcpy(t, p, n); free(t); }
}
size_t fwrite(const void *p, size_t size, size_t count, void *file) { (void)file; __axle_read(p, size * count); return count; }

/* What runs when `main` returns or `exit` is called, the last first; the machine lets it (lower.rs). */
static void (*__axle_at_exit[32])(void);
static int __axle_exits;
int atexit(void (*f)(void))
{
    int at = __sync_fetch_and_add(&__axle_exits, 1);
    if (at >= 32) { __sync_fetch_and_sub(&__axle_exits, 1); return 1; }
    __atomic_store_n(&__axle_at_exit[at], f, 5);
    return 0;
}
void __axle_run_exits(void)
{
    while (__atomic_load_n(&__axle_exits, 5) > 0) {
        int at = __sync_sub_and_fetch(&__axle_exits, 1);
        void (*f)(void) = __atomic_load_n(&__axle_at_exit[at], 5);
        f();
    }
}

_Noreturn void exit(int);
_Noreturn void err(int status, const char *format, ...) { (void)format; exit(status); }
_Noreturn void errx(int status, const char *format, ...) { (void)format; exit(status); }
void warn(const char *format, ...) { (void)format; }
void warnx(const char *format, ...) { (void)format; }
void error(int status, int number, const char *format, ...) { (void)number; (void)format; if (status) exit(status); }

/* POSIX's way of reading options: the arguments are not put in another order. */
char *optarg;
int optind = 1, opterr = 1, optopt;
static int __axle_option_at;
static void __axle_next_option(void) { optind++; __axle_option_at = 0; }
int getopt(int argc, char *const argv[], const char *options)
{
    const char *word = optind < argc ? argv[optind] : 0;
    if (!word || word[0] != '-' || !word[1]) return -1;
    if (word[1] == '-' && !word[2]) { optind++; return -1; }
    if (!__axle_option_at) __axle_option_at = 1;
    int c = (unsigned char)word[__axle_option_at++], last = !word[__axle_option_at];
    const char *known = c == ':' ? 0 : strchr(options, c);
    if (!known) {
        optopt = c;
        if (last) __axle_next_option();
        return '?';
    }
    if (known[1] == ':') {
        if (!last) optarg = (char *)word + __axle_option_at;
        else if (optind + 1 < argc) optarg = argv[++optind];
        else {
            optopt = c;
            __axle_next_option();
            return options[0] == ':' ? ':' : '?';
        }
        __axle_next_option();
    } else if (last) __axle_next_option();
    return c;
}
