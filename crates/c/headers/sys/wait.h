#ifndef __AXLE_SYS_WAIT_H
#define __AXLE_SYS_WAIT_H
#include <sys/types.h>
/* Declared, so that programs can be read; calling them makes a verdict unknown. */
#define WNOHANG 1
#define WUNTRACED 2
#define WTERMSIG(s) ((s) & 127)
#define WIFSTOPPED(s) (((s) & 255) == 127)
#define WSTOPSIG(s) WEXITSTATUS(s)
#define WEXITSTATUS(s) (((s) >> 8) & 255)
#define WIFEXITED(s) (((s) & 127) == 0)
#define WIFSIGNALED(s) (((s) & 127) != 0 && ((s) & 127) != 127)
pid_t wait(int *);
pid_t waitpid(pid_t, int *, int);
#endif
