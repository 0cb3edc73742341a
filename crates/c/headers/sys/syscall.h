#ifndef __AXLE_SYS_SYSCALL_H
#define __AXLE_SYS_SYSCALL_H
/* Futexes and the numbers of threads; calling anything else makes a verdict unknown. */
#define SYS_gettid 186
#define __NR_gettid 186
#define SYS_futex 202
#define __NR_futex 202
long syscall(long, ...);
#endif
