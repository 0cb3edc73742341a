#ifndef __AXLE_FCNTL_H
#define __AXLE_FCNTL_H
#include <sys/types.h>
/* Declared, so that programs can be read; calling them makes a verdict unknown. */
#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_CREAT 0100
#define O_EXCL 0200
#define O_TRUNC 01000
#define O_APPEND 02000
#define O_NONBLOCK 04000
#define F_GETFL 3
#define F_SETFL 4
#define S_IRUSR 0400
#define S_IWUSR 0200
int open(const char *, int, ...);
int creat(const char *, mode_t);
int fcntl(int, int, ...);
#endif
