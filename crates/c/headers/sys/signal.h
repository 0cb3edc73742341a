#ifndef __AXLE_SYS_SIGNAL_H
#define __AXLE_SYS_SIGNAL_H
#include <signal.h>
#endif
