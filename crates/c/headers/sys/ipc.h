#ifndef __AXLE_SYS_IPC_H
#define __AXLE_SYS_IPC_H
#include <sys/types.h>
/* Declared, so that programs can be read; calling the functions makes a verdict unknown. */
struct ipc_perm { key_t __key; uid_t uid; gid_t gid; uid_t cuid; gid_t cgid; mode_t mode; unsigned short __seq, __padding; unsigned long __reserved1, __reserved2; };
#define IPC_CREAT 01000
#define IPC_EXCL 02000
#define IPC_NOWAIT 04000
#define IPC_RMID 0
#define IPC_SET 1
#define IPC_STAT 2

#define IPC_PRIVATE ((key_t)0)
key_t ftok(const char *, int);
#endif
