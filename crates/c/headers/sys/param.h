#ifndef __AXLE_SYS_PARAM_H
#define __AXLE_SYS_PARAM_H
#include <limits.h>
#include <sys/types.h>
#define MIN(a, b) (((a) < (b)) ? (a) : (b))
#define MAX(a, b) (((a) > (b)) ? (a) : (b))
#endif
