#ifndef __AXLE_SYS_WAIT_H
#define __AXLE_SYS_WAIT_H
#include <sys/types.h>
/* Declared, so that programs can be read; calling them makes a verdict unknown. */
#define WNOHANG 1
#define WEXITSTATUS(s) (((s) >> 8) & 255)
#define WIFEXITED(s) (((s) & 127) == 0)
#define WIFSIGNALED(s) (((s) & 127) != 0)
pid_t wait(int *);
pid_t waitpid(pid_t, int *, int);
#endif
