#ifndef __AXLE_SYS_UIO_H
#define __AXLE_SYS_UIO_H
#include <sys/types.h>
/* Declared, so that programs can be read; calling the functions makes a verdict unknown. */
struct iovec { void *iov_base; size_t iov_len; };
#define UIO_MAXIOV 1024
ssize_t readv(int, const struct iovec *, int);
ssize_t writev(int, const struct iovec *, int);
ssize_t preadv(int, const struct iovec *, int, off_t);
ssize_t pwritev(int, const struct iovec *, int, off_t);
#endif
