#ifndef __AXLE_SYS_SIGNALFD_H
#define __AXLE_SYS_SIGNALFD_H
#include <stdint.h>
#include <signal.h>
/* Declared, so that programs can be read; calling the functions makes a verdict unknown. */
#define SFD_NONBLOCK 04000
#define SFD_CLOEXEC 02000000

int signalfd(int, const sigset_t *, int);
#endif
