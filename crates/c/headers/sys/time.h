#ifndef __AXLE_SYS_TIME_H
#define __AXLE_SYS_TIME_H
#include <sys/types.h>
struct timeval { time_t tv_sec; suseconds_t tv_usec; };
struct timezone { int tz_minuteswest, tz_dsttime; };
int gettimeofday(struct timeval *, void *);
#define TIMEVAL_TO_TIMESPEC(from, to) ((void)((to)->tv_sec = (from)->tv_sec, (to)->tv_nsec = (from)->tv_usec * 1000))
#define TIMESPEC_TO_TIMEVAL(to, from) ((void)((to)->tv_sec = (from)->tv_sec, (to)->tv_usec = (from)->tv_nsec / 1000))
#endif
