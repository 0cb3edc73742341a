#ifndef __AXLE_SYS_FILE_H
#define __AXLE_SYS_FILE_H
#include <fcntl.h>
/* Declared, so that programs can be read; calling the functions makes a verdict unknown. */
#define LOCK_SH 1
#define LOCK_EX 2
#define LOCK_NB 4
#define LOCK_UN 8
int flock(int, int);
#endif
