#ifndef __AXLE_FCNTL_H
#define __AXLE_FCNTL_H
#include <sys/types.h>
#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_CREAT 0100
#define O_EXCL 0200
#define O_TRUNC 01000
#define O_APPEND 02000
#define O_NONBLOCK 04000
#define O_ACCMODE 3
#define O_NOCTTY 0400
#define O_DSYNC 010000
#define O_RSYNC 04010000
#define O_NDELAY O_NONBLOCK
#define O_ASYNC 020000
#define O_DIRECTORY 0200000
#define O_NOFOLLOW 0400000
#define O_DIRECT 040000
#define O_LARGEFILE 0
#define O_PATH 010000000
#define O_TMPFILE 020200000
#define O_NOATIME 01000000
#define FASYNC O_ASYNC
#define F_DUPFD 0
#define F_DUPFD_CLOEXEC 1030
#define F_GETLK 5
#define F_SETLK 6
#define F_SETLKW 7
#define F_SETOWN 8
#define F_GETOWN 9
#define F_SETSIG 10
#define F_GETSIG 11
#define F_OFD_GETLK 36
#define F_OFD_SETLK 37
#define F_OFD_SETLKW 38
#define F_SETPIPE_SZ 1031
#define F_GETPIPE_SZ 1032
#define F_ADD_SEALS 1033
#define F_GET_SEALS 1034
#define F_RDLCK 0
#define F_WRLCK 1
#define F_UNLCK 2
#define AT_SYMLINK_NOFOLLOW 0x100
#define AT_REMOVEDIR 0x200
#define AT_SYMLINK_FOLLOW 0x400
#define AT_EACCESS 0x200
#define AT_EMPTY_PATH 0x1000
#define POSIX_FADV_NORMAL 0
#define POSIX_FADV_RANDOM 1
#define POSIX_FADV_SEQUENTIAL 2
#define POSIX_FADV_WILLNEED 3
#define POSIX_FADV_DONTNEED 4
#define POSIX_FADV_NOREUSE 5
#define AT_FDCWD (-100)
#define F_GETFL 3
#define F_SETFL 4
#define F_GETFD 1
#define F_SETFD 2
#define FD_CLOEXEC 1
#define O_CLOEXEC 02000000
#define O_SYNC 04010000
#include <sys/stat.h>
int open(const char *, int, ...);
int creat(const char *, mode_t);
int fcntl(int, int, ...);
int openat(int, const char *, int, ...);
int posix_fadvise(int, off_t, off_t, int);
int posix_fallocate(int, off_t, off_t);
int fallocate(int, int, off_t, off_t);
struct flock { short l_type, l_whence; off_t l_start, l_len; pid_t l_pid; };
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
#endif
