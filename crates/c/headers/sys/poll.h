#ifndef __AXLE_SYS_POLL_H
#define __AXLE_SYS_POLL_H
#include <poll.h>
#endif
