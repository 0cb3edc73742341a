#ifndef __AXLE_SYS_UNISTD_H
#define __AXLE_SYS_UNISTD_H
#include <unistd.h>
#endif
