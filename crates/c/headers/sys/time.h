#ifndef __AXLE_SYS_TIME_H
#define __AXLE_SYS_TIME_H
#include <sys/types.h>
struct timeval { time_t tv_sec; suseconds_t tv_usec; };
struct timezone { int tz_minuteswest, tz_dsttime; };
int gettimeofday(struct timeval *, void *);
int settimeofday(const struct timeval *, const struct timezone *);
struct itimerval { struct timeval it_interval, it_value; };
#define ITIMER_REAL 0
#define ITIMER_VIRTUAL 1
#define ITIMER_PROF 2
int getitimer(int, struct itimerval *);
int setitimer(int, const struct itimerval *, struct itimerval *);
int utimes(const char *, const struct timeval[2]);
#define timerclear(t) ((void)((t)->tv_sec = 0, (t)->tv_usec = 0))
#define timerisset(t) ((t)->tv_sec != 0 || (t)->tv_usec != 0)
#define timercmp(a, b, op) ((a)->tv_sec == (b)->tv_sec ? (a)->tv_usec op (b)->tv_usec : (a)->tv_sec op (b)->tv_sec)
#define timeradd(a, b, to) \
    do { \
        (to)->tv_sec = (a)->tv_sec + (b)->tv_sec; \
        (to)->tv_usec = (a)->tv_usec + (b)->tv_usec; \
        if ((to)->tv_usec >= 1000000) { (to)->tv_sec++; (to)->tv_usec -= 1000000; } \
    } while (0)
#define timersub(a, b, to) \
    do { \
        (to)->tv_sec = (a)->tv_sec - (b)->tv_sec; \
        (to)->tv_usec = (a)->tv_usec - (b)->tv_usec; \
        if ((to)->tv_usec < 0) { (to)->tv_sec--; (to)->tv_usec += 1000000; } \
    } while (0)
#include <sys/select.h>
#define TIMEVAL_TO_TIMESPEC(from, to) ((void)((to)->tv_sec = (from)->tv_sec, (to)->tv_nsec = (from)->tv_usec * 1000))
#define TIMESPEC_TO_TIMEVAL(to, from) ((void)((to)->tv_sec = (from)->tv_sec, (to)->tv_usec = (from)->tv_nsec / 1000))
#endif
