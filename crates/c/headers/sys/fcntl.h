#ifndef __AXLE_SYS_FCNTL_H
#define __AXLE_SYS_FCNTL_H
#include <fcntl.h>
#endif
