#ifndef __AXLE_SYS_TIMERFD_H
#define __AXLE_SYS_TIMERFD_H
#include <time.h>
/* Declared, so that programs can be read; calling the functions makes a verdict unknown. */
#define TFD_NONBLOCK 04000
#define TFD_CLOEXEC 02000000
#define TFD_TIMER_ABSTIME 1

int timerfd_create(clockid_t, int);
int timerfd_settime(int, int, const struct itimerspec *, struct itimerspec *);
int timerfd_gettime(int, struct itimerspec *);
#endif
