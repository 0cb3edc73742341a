#ifndef __AXLE_SCHED_H
#define __AXLE_SCHED_H
struct timespec;
struct sched_param { int sched_priority; };
#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
#define SCHED_BATCH 3
#define SCHED_IDLE 5
typedef struct { unsigned long __bits[128 / sizeof(long)]; } cpu_set_t;
#define CPU_SETSIZE 1024
#define CPU_ZERO(s) ((void)(*(s) = (cpu_set_t){ { 0 } }))
/* A processor outside of the set is ignored, as in glibc. */
#define __AXLE_CPU(c, then) \
    (__extension__({ __SIZE_TYPE__ __axle_cpu = (c); __axle_cpu < CPU_SETSIZE ? (then) : 0; }))
#define __AXLE_CPU_WORD(s) ((s)->__bits[__axle_cpu / (8 * sizeof(long))])
#define __AXLE_CPU_BIT (1ul << (__axle_cpu % (8 * sizeof(long))))
#define CPU_SET(c, s) __AXLE_CPU(c, __AXLE_CPU_WORD(s) |= __AXLE_CPU_BIT)
#define CPU_CLR(c, s) __AXLE_CPU(c, __AXLE_CPU_WORD(s) &= ~__AXLE_CPU_BIT)
#define CPU_ISSET(c, s) __AXLE_CPU(c, (__AXLE_CPU_WORD(s) & __AXLE_CPU_BIT) != 0)
int __sched_cpucount(__SIZE_TYPE__, const cpu_set_t *);
#define CPU_COUNT(s) __sched_cpucount(sizeof(cpu_set_t), (s))
int sched_yield(void);
int sched_getcpu(void);
int sched_setscheduler(int, int, const struct sched_param *);
int sched_setparam(int, const struct sched_param *);
int sched_get_priority_max(int);
int sched_get_priority_min(int);
int sched_setaffinity(int, __SIZE_TYPE__, const cpu_set_t *);
int sched_getaffinity(int, __SIZE_TYPE__, cpu_set_t *);
int sched_getscheduler(int);
int sched_getparam(int, struct sched_param *);
int sched_rr_get_interval(int, struct timespec *);
#endif
