#ifndef __AXLE_SYS_SELECT_H
#define __AXLE_SYS_SELECT_H
#include <sys/types.h>
#include <sys/time.h>
#include <time.h>
#include <signal.h>
/* Declared, so that programs can be read; calling the functions makes a verdict unknown. */
#define FD_SETSIZE 1024
#define NFDBITS 64
typedef long fd_mask;
typedef struct { long __bits[16]; } fd_set;
#define FD_ZERO(s) ((void)(*(s) = (fd_set){ { 0 } }))
#define FD_SET(fd, s) ((void)((s)->__bits[(fd) / 64] |= (long)(1ul << ((fd) % 64))))
#define FD_CLR(fd, s) ((void)((s)->__bits[(fd) / 64] &= (long)~(1ul << ((fd) % 64))))
#define FD_ISSET(fd, s) (((unsigned long)(s)->__bits[(fd) / 64] >> ((fd) % 64) & 1) != 0)
int select(int, fd_set *, fd_set *, fd_set *, struct timeval *);
int pselect(int, fd_set *, fd_set *, fd_set *, const struct timespec *, const sigset_t *);
#endif
