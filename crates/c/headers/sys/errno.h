#ifndef __AXLE_SYS_ERRNO_H
#define __AXLE_SYS_ERRNO_H
#include <errno.h>
#endif
