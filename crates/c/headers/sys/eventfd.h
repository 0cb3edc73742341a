#ifndef __AXLE_SYS_EVENTFD_H
#define __AXLE_SYS_EVENTFD_H
#include <stdint.h>
/* Declared, so that programs can be read; calling the functions makes a verdict unknown. */
typedef uint64_t eventfd_t;
#define EFD_SEMAPHORE 1
#define EFD_NONBLOCK 04000
#define EFD_CLOEXEC 02000000

int eventfd(unsigned, int);
int eventfd_read(int, eventfd_t *);
int eventfd_write(int, eventfd_t);
#endif
