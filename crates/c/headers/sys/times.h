#ifndef __AXLE_SYS_TIMES_H
#define __AXLE_SYS_TIMES_H
#include <time.h>
/* Declared, so that programs can be read; calling the functions makes a verdict unknown. */
struct tms { clock_t tms_utime, tms_stime, tms_cutime, tms_cstime; };
clock_t times(struct tms *);
#endif
