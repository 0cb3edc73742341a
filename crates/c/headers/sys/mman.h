#ifndef __AXLE_SYS_MMAN_H
#define __AXLE_SYS_MMAN_H
#include <sys/types.h>
/* Anonymous mappings are supported; a mapping of a file makes the verdict unknown. */
#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_ANONYMOUS 32
#define PROT_EXEC 4
#define MAP_FIXED 16
#define MAP_ANON 32
#define MAP_NORESERVE 16384
#define MAP_STACK 0
#define MAP_POPULATE 0
#define MAP_FILE 0
#define MAP_LOCKED 0x2000
#define MAP_HUGETLB 0x40000
#define MAP_GROWSDOWN 0x100
#define MADV_NORMAL 0
#define MADV_RANDOM 1
#define MADV_SEQUENTIAL 2
#define MADV_FREE 8
#define MADV_HUGEPAGE 14
#define MADV_NOHUGEPAGE 15
#define MREMAP_MAYMOVE 1
#define MREMAP_FIXED 2
#define POSIX_MADV_NORMAL 0
#define POSIX_MADV_WILLNEED 3
#define POSIX_MADV_DONTNEED 4
#define MFD_CLOEXEC 1
#define MFD_ALLOW_SEALING 2
#define MADV_DONTNEED 4
#define MADV_WILLNEED 3
#define MS_ASYNC 1
#define MS_INVALIDATE 2
#define MS_SYNC 4
#define MCL_CURRENT 1
#define MCL_FUTURE 2
#define MAP_FAILED ((void *)-1)
void *mmap(void *, size_t, int, int, int, off_t);
int munmap(void *, size_t);
int mprotect(void *, size_t, int);
int madvise(void *, size_t, int);
int mlockall(int);
int munlockall(void);
int mlock(const void *, size_t);
int munlock(const void *, size_t);
int msync(void *, size_t, int);
int shm_open(const char *, int, mode_t);
int shm_unlink(const char *);
void *mremap(void *, size_t, size_t, int, ...);
int posix_madvise(void *, size_t, int);
int mincore(void *, size_t, unsigned char *);
int memfd_create(const char *, unsigned);
#endif
