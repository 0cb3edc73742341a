#ifndef __AXLE_SYS_TYPES_H
#define __AXLE_SYS_TYPES_H
#include <stddef.h>
typedef __PTRDIFF_TYPE__ ssize_t;
typedef int pid_t;
typedef unsigned uid_t;
typedef unsigned gid_t;
typedef long off_t;
typedef unsigned mode_t;
typedef long time_t;
typedef long suseconds_t;
typedef unsigned useconds_t;
typedef int clockid_t;
typedef unsigned long dev_t;
typedef unsigned long ino_t;
typedef unsigned long nlink_t;
typedef int id_t;
typedef int key_t;
typedef void *timer_t;
typedef long clock_t;
typedef long blksize_t;
typedef long blkcnt_t;
typedef unsigned long fsblkcnt_t;
typedef unsigned long fsfilcnt_t;
typedef long off64_t;
typedef char *caddr_t;
typedef long register_t;
typedef long quad_t;
typedef unsigned long u_quad_t;
#ifndef __AXLE_STDINT_H
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
#ifdef __LP64__
typedef long int64_t;
#else
typedef long long int64_t;
#endif
#endif
typedef unsigned char u_int8_t;
typedef unsigned short u_int16_t;
typedef unsigned u_int32_t;
#ifdef __LP64__
typedef unsigned long u_int64_t;
#else
typedef unsigned long long u_int64_t;
#endif
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;
/* Of threads: what the fields mean is said in crates/c-exec/src/semantics/sync.rs. All zero is what the static initialisers give. */
typedef unsigned long pthread_t;
typedef struct { int __detached, __inherits, __policy, __scope, __priority; size_t __stack, __guard; void *__at; } pthread_attr_t;
typedef struct { int __life; int __kind; int __count; void *__owner; } pthread_mutex_t;
typedef struct { int __kind; } pthread_mutexattr_t;
typedef struct { int __life; } pthread_cond_t;
typedef struct { int __clock; } pthread_condattr_t;
typedef struct { int __life; int __readers; void *__writer; } pthread_rwlock_t;
typedef struct { int __kind; } pthread_rwlockattr_t;
typedef struct { int __life; unsigned __size, __waiting; } pthread_barrier_t;
typedef struct { int __kind; } pthread_barrierattr_t;
typedef pthread_mutex_t pthread_spinlock_t;
typedef int pthread_once_t;
typedef unsigned pthread_key_t;
#endif
