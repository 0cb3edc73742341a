#ifndef __AXLE_UTIME_H
#define __AXLE_UTIME_H
#include <sys/types.h>
/* Declared, so that programs can be read; calling the functions makes a verdict unknown. */
struct utimbuf { time_t actime, modtime; };
int utime(const char *, const struct utimbuf *);
#endif
