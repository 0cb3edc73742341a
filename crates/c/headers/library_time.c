/* More of library.c: the calendar, and time that passes while a thread sleeps. */
/* The calendar, in UTC. What the others give lies in memory of its own, which the next call changes. */
struct __axle_tm { int sec, min, hour, mday, mon, year, wday, yday, isdst; };
static int __axle_leap(long y) { return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0; }
static int __axle_month(int m, long y) { return m == 1 ? 28 + __axle_leap(y) : 30 + ((m + (m > 6)) % 2 == 0); }
void *gmtime_r(const long *t, struct __axle_tm *to)
{
    long days = *t / 86400, rest = *t % 86400, y = 1970;
    if (rest < 0) { rest += 86400; days--; }
    to->hour = (int)(rest / 3600);
    to->min = (int)(rest / 60 % 60);
    to->sec = (int)(rest % 60);
    to->wday = (int)(((days + 4) % 7 + 7) % 7);
    for (; days < 0; days += 365 + __axle_leap(y)) y--;
    for (; days >= 365 + __axle_leap(y); y++) days -= 365 + __axle_leap(y);
    to->year = (int)(y - 1900);
    to->yday = (int)days;
    to->mon = 0;
    for (; days >= __axle_month(to->mon, y); to->mon++) days -= __axle_month(to->mon, y);
    to->mday = (int)days + 1;
    to->isdst = 0;
    return to;
}
void *localtime_r(const long *t, struct __axle_tm *to) { return gmtime_r(t, to); }
static struct __axle_tm __axle_calendar;
void *gmtime(const long *t) { return gmtime_r(t, &__axle_calendar); }
void *localtime(const long *t) { return gmtime_r(t, &__axle_calendar); }
long timegm(struct __axle_tm *at)
{
    long y = at->year + 1900l + at->mon / 12, days = 0, result;
    int m = at->mon % 12;
    if (m < 0) { m += 12; y--; }
    for (long i = 1970; i < y; i++) days += 365 + __axle_leap(i);
    for (long i = y; i < 1970; i++) days -= 365 + __axle_leap(i);
    for (int i = 0; i < m; i++) days += __axle_month(i, y);
    result = (days + at->mday - 1) * 86400 + at->hour * 3600l + at->min * 60l + at->sec;
    gmtime_r(&result, at);
    return result;
}
long mktime(struct __axle_tm *at) { return timegm(at); }
static size_t __axle_digits(char *to, long v, int n, char before)
{
    for (int i = n - 1; i >= 0; i--, v /= 10) to[i] = (char)(v || i == n - 1 ? '0' + v % 10 : before);
    return n;
}
static const char __axle_days[] = "SundayMondayTuesdayWednesdayThursdayFridaySaturday";
static const char __axle_months[] = "JanuaryFebruaryMarchAprilMayJuneJulyAugustSeptemberOctoberNovemberDecember";
static size_t __axle_word(char *to, const char *words, int which, int all)
{
    size_t n = 0;
    for (; *words; words++) {
        if (isupper(*words)) which--;
        if (which == -1 && (all || n < 3)) to[n++] = *words;
    }
    return n;
}
size_t strftime(char *to, size_t most, const char *f, const struct __axle_tm *at)
{
    char part[32];
    size_t n = 0;
    for (; *f; f++) {
        size_t k = 0;
        if (*f != '%') part[k++] = *f;
        else switch (*++f) {
        case 'Y': k = __axle_digits(part, at->year + 1900, 4, '0'); break;
        case 'y': k = __axle_digits(part, at->year % 100, 2, '0'); break;
        case 'm': k = __axle_digits(part, at->mon + 1, 2, '0'); break;
        case 'd': k = __axle_digits(part, at->mday, 2, '0'); break;
        case 'e': k = __axle_digits(part, at->mday, 2, ' '); break;
        case 'j': k = __axle_digits(part, at->yday + 1, 3, '0'); break;
        case 'H': k = __axle_digits(part, at->hour, 2, '0'); break;
        case 'I': k = __axle_digits(part, at->hour % 12 ? at->hour % 12 : 12, 2, '0'); break;
        case 'M': k = __axle_digits(part, at->min, 2, '0'); break;
        case 'S': k = __axle_digits(part, at->sec, 2, '0'); break;
        case 'p': part[k++] = at->hour < 12 ? 'A' : 'P'; part[k++] = 'M'; break;
        case 'a': k = __axle_word(part, __axle_days, at->wday, 0); break;
        case 'A': k = __axle_word(part, __axle_days, at->wday, 1); break;
        case 'b': case 'h': k = __axle_word(part, __axle_months, at->mon, 0); break;
        case 'B': k = __axle_word(part, __axle_months, at->mon, 1); break;
        case 'Z': part[0] = 'U'; part[1] = 'T'; part[2] = 'C'; k = 3; break;
        case 'z': memcpy(part, "+0000", k = 5); break;
        case 'F': k = strftime(part, sizeof part, "%Y-%m-%d", at); break;
        case 'T': k = strftime(part, sizeof part, "%H:%M:%S", at); break;
        case 'R': k = strftime(part, sizeof part, "%H:%M", at); break;
        case 'D': case 'x': k = strftime(part, sizeof part, "%m/%d/%y", at); break;
        case 'X': k = strftime(part, sizeof part, "%H:%M:%S", at); break;
        case 'c': k = strftime(part, sizeof part, "%a %b %e %H:%M:%S %Y", at); break;
        case 'n': part[k++] = '\n'; break;
        case 't': part[k++] = '\t'; break;
        case '%': part[k++] = '%'; break;
        default: __axle_unsupported("this conversion of `strftime`");
        }
        if (n + k >= most) return 0;
        memcpy(to + n, part, k);
        n += k;
    }
    if (n >= most) return 0;
    to[n] = 0;
    return n;
}
char *asctime_r(const struct __axle_tm *at, char *to) { strftime(to, 26, "%a %b %e %H:%M:%S %Y\n", at); return to; }
char *ctime_r(const long *t, char *to) { struct __axle_tm at; gmtime_r(t, &at); return asctime_r(&at, to); }
static char __axle_date[26];
char *asctime(const struct __axle_tm *at) { return asctime_r(at, __axle_date); }
char *ctime(const long *t) { return ctime_r(t, __axle_date); }
static int __axle_is_clock(int clock) { return clock < 0 ? clock >= -8 && (clock & 3) != 3 : clock <= 11 && clock != 10; }
int clock_getres(int clock, long *t)
{
    if (!__axle_is_clock(clock)) { errno = 22; return -1; }
    if (t) { t[0] = 0; t[1] = clock == 5 || clock == 6 ? 4000000 : 1; }
    return 0;
}

/* Waits until a time, of which `crates/c-exec/src/semantics/sync.rs` does the others. A time that is none is refused where the call would have to wait. */
int pthread_rwlock_tryrdlock(void *);
int pthread_rwlock_trywrlock(void *);
int pthread_mutex_timedlock(void *, const void *);
int sem_timedwait(void *, const void *);
static int __axle_is_time(const long *t) { return t[1] >= 0 && t[1] <= 999999999; }
static int __axle_late(const long *t) { return __axle_is_time(t) ? 110 : 22; }
/* The thread that holds the lock for writing cannot obtain it from another thread. */
struct __axle_rwlock { int life, readers; void *writer; };
unsigned long pthread_self(void);
static int __axle_no_rwlock(struct __axle_rwlock *l, const long *t)
{
    return __axle_is_time(t) && __atomic_load_n(&l->writer, 5) == (void *)pthread_self() ? 35 : __axle_late(t);
}
int pthread_rwlock_timedrdlock(void *l, const void *t) { int r = pthread_rwlock_tryrdlock(l); return r == 16 ? __axle_no_rwlock(l, t) : r; }
int pthread_rwlock_timedwrlock(void *l, const void *t) { int r = pthread_rwlock_trywrlock(l); return r == 16 ? __axle_no_rwlock(l, t) : r; }
/* The clocks that glibc can wait by. */
static int __axle_waits_by(int clock) { return clock == 0 || clock == 1; }
int pthread_rwlock_clockrdlock(void *l, int k, const void *t) { return __axle_waits_by(k) ? pthread_rwlock_timedrdlock(l, t) : 22; }
int pthread_rwlock_clockwrlock(void *l, int k, const void *t) { return __axle_waits_by(k) ? pthread_rwlock_timedwrlock(l, t) : 22; }
int pthread_cond_clockwait(void *c, void *l, int k, const void *t) { return __axle_waits_by(k) ? pthread_cond_timedwait(c, l, t) : 22; }
int pthread_mutex_clocklock(void *l, int k, const void *t) { return __axle_waits_by(k) ? pthread_mutex_timedlock(l, t) : 22; }
static int __axle_no_wait(void) { errno = 22; return -1; }
int sem_clockwait(void *s, int k, const void *t) { return __axle_waits_by(k) ? sem_timedwait(s, t) : __axle_no_wait(); }
/* Without a time, the end is waited for. A thread that waits for its own end does not return. */
int pthread_join(unsigned long, void **);
int pthread_tryjoin_np(unsigned long, void **);
void pthread_testcancel(void);
int pthread_timedjoin_np(unsigned long u, void **r, const void *t)
{
    if (u == pthread_self()) return 35;
    if (!t) return pthread_join(u, r);
    pthread_testcancel();
    int result = pthread_tryjoin_np(u, r);
    return result == 16 ? __axle_late(t) : result;
}
int pthread_clockjoin_np(unsigned long u, void **r, int k, const void *t) { return __axle_waits_by(k) ? pthread_timedjoin_np(u, r, t) : 22; }

/* For programs in which a clock decides something and that sleep: time stands still but for what is slept and waited. A `struct timespec`
   is two numbers of type long. The calls without the prefix are what can be cancelled, and what says that there is no more to
   the clock than this. */
enum { __axle_begin = 1700000000 }; /* `NOW` in `crates/c-exec/src/state/settings.rs` */
static _Atomic unsigned long long __axle_now = __axle_begin * 1000000000ull;
unsigned sleep(unsigned);
int usleep(unsigned);
int nanosleep(const void *, void *);
int clock_nanosleep(int, int, const void *, void *);
int thrd_sleep(const void *, void *);
long time(long *);
int clock_gettime(int, void *);
int gettimeofday(void *, void *);
int timespec_get(void *, int);
/* Nanoseconds; more than nine thousand million seconds are no more than that. */
static unsigned long long __axle_span(const long *t)
{
    unsigned long long s = t[0];
    if (t[0] < 0) return 0;
    return (s > 9000000000ull ? 9000000000ull : s) * 1000000000ull + t[1];
}
/* No earlier than then. */
static void __axle_reach(const long *t)
{
    unsigned long long then = __axle_span(t), now = __axle_now;
    while (now < then && !__atomic_compare_exchange_n(&__axle_now, &now, then, 0, 5, 5)) {}
}
unsigned __axle_moving_sleep(unsigned s) { sleep(s); __axle_now += s * 1000000000ull; return 0; }
/* A longer sleep is interrupted by the alarm, where the program handles it. */
unsigned __axle_sleep_with_alarm(unsigned s)
{
    unsigned n = __atomic_load_n(&__axle_alarm_set, 5);
    if (!n || n > s || !__atomic_load_n(&__axle_alarm_handled, 5)) return __axle_moving_sleep(s);
    __axle_moving_sleep(n);
    if (__atomic_exchange_n(&__axle_alarm_set, 0, 5)) __axle_send_here(14);
    return s - n;
}
int __axle_moving_usleep(unsigned us) { usleep(us); __axle_now += us * 1000ull; return 0; }
int __axle_moving_nanosleep(const void *t, void *left)
{
    int result = nanosleep(t, left);
    if (!result) __axle_now += __axle_span(t);
    return result;
}
int __axle_moving_thrd_sleep(const void *t, void *left) { thrd_sleep(t, left); __axle_now += __axle_span(t); return 0; }
int __axle_moving_clock_nanosleep(int clock, int flags, const void *t, void *left)
{
    int result = clock_nanosleep(clock, flags, t, left);
    if (result) return result;
    if (flags & 1) __axle_reach(t);
    else __axle_now += __axle_span(t);
    return 0;
}
/* After an expired wait, the clock is not earlier than the deadline. A wait until a past time expires at once. */
static int __axle_waited(const long *t, int result) { if (result == 110) __axle_reach(t); return result; }
int __axle_moving_pthread_cond_timedwait(void *c, void *l, const void *t)
{
    static const long before[2];
    int has_been = __axle_is_time(t) && __axle_span(t) <= __axle_now;
    return __axle_waited(t, pthread_cond_timedwait(c, l, has_been ? before : t));
}
int __axle_moving_pthread_cond_clockwait(void *c, void *l, int k, const void *t) { return __axle_waits_by(k) ? __axle_moving_pthread_cond_timedwait(c, l, t) : 22; }
int __axle_moving_pthread_mutex_timedlock(void *l, const void *t) { return __axle_waited(t, pthread_mutex_timedlock(l, t)); }
int __axle_moving_pthread_mutex_clocklock(void *l, int k, const void *t) { return __axle_waited(t, pthread_mutex_clocklock(l, k, t)); }
int __axle_moving_pthread_rwlock_timedrdlock(void *l, const void *t) { return __axle_waited(t, pthread_rwlock_timedrdlock(l, t)); }
int __axle_moving_pthread_rwlock_timedwrlock(void *l, const void *t) { return __axle_waited(t, pthread_rwlock_timedwrlock(l, t)); }
int __axle_moving_pthread_rwlock_clockrdlock(void *l, int k, const void *t) { return __axle_waited(t, pthread_rwlock_clockrdlock(l, k, t)); }
int __axle_moving_pthread_rwlock_clockwrlock(void *l, int k, const void *t) { return __axle_waited(t, pthread_rwlock_clockwrlock(l, k, t)); }
int __axle_moving_pthread_timedjoin_np(unsigned long u, void **r, const void *t) { return __axle_waited(t, pthread_timedjoin_np(u, r, t)); }
int __axle_moving_pthread_clockjoin_np(unsigned long u, void **r, int k, const void *t) { return __axle_waited(t, pthread_clockjoin_np(u, r, k, t)); }
int __axle_moving_sem_timedwait(void *s, const void *t)
{
    int result = sem_timedwait(s, t);
    if (result) __axle_waited(t, errno);
    return result;
}
int __axle_moving_sem_clockwait(void *s, int k, const void *t) { return __axle_waits_by(k) ? __axle_moving_sem_timedwait(s, t) : __axle_no_wait(); }
long __axle_moving_time(long *p)
{
    long now = time(0) - __axle_begin + (long)(__axle_now / 1000000000u);
    if (p) *p = now;
    return now;
}
/* Seconds, and what is left in parts of `unit` nanoseconds; gives back what the call gave. */
static int __axle_tell(long *to, unsigned long long now, unsigned unit, int result)
{
    to[0] = now / 1000000000u;
    to[1] = now % 1000000000u / unit;
    return result;
}
/* A thread that sleeps or waits consumes no processor time. */
int __axle_moving_clock_gettime(int clock, void *t)
{
    unsigned long long now = clock == 2 || clock == 3 ? 0 : __axle_now;
    int result = clock_gettime(clock, t);
    return result ? result : __axle_tell(t, now, 1, 0);
}
int __axle_moving_gettimeofday(void *t, void *zone)
{
    unsigned long long now = __axle_now;
    return __axle_tell(t, now, 1000, gettimeofday(t, zone));
}
int __axle_moving_timespec_get(void *t, int base)
{
    unsigned long long now = __axle_now;
    return __axle_tell(t, now, 1, timespec_get(t, base));
}
