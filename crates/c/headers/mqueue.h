#ifndef __AXLE_MQUEUE_H
#define __AXLE_MQUEUE_H
#include <sys/types.h>
#include <fcntl.h>
#include <time.h>
#include <signal.h>
/* Declared, so that programs can be read; calling the functions makes a verdict unknown. */
typedef int mqd_t;
struct mq_attr { long mq_flags, mq_maxmsg, mq_msgsize, mq_curmsgs, __padding[4]; };
mqd_t mq_open(const char *, int, ...);
int mq_close(mqd_t);
int mq_unlink(const char *);
int mq_send(mqd_t, const char *, size_t, unsigned);
ssize_t mq_receive(mqd_t, char *, size_t, unsigned *);
int mq_timedsend(mqd_t, const char *, size_t, unsigned, const struct timespec *);
ssize_t mq_timedreceive(mqd_t, char *, size_t, unsigned *, const struct timespec *);
int mq_notify(mqd_t, const struct sigevent *);
int mq_getattr(mqd_t, struct mq_attr *);
int mq_setattr(mqd_t, const struct mq_attr *, struct mq_attr *);
#endif
