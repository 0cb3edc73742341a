#ifndef __AXLE_SYS_WAIT_H
#define __AXLE_SYS_WAIT_H
#include <sys/types.h>
#include <signal.h>
#include <sys/resource.h>
/* Declared, so that programs can be read; calling them makes a verdict unknown. */
#define WNOHANG 1
#define WUNTRACED 2
#define WSTOPPED 2
#define WEXITED 4
#define WCONTINUED 8
#define WNOWAIT 0x1000000
#define WCOREFLAG 0x80
#define WCOREDUMP(s) ((s) & WCOREFLAG)
#define WIFCONTINUED(s) ((s) == 0xffff)
typedef enum { P_ALL, P_PID, P_PGID } idtype_t;
#define WTERMSIG(s) ((s) & 127)
#define WIFSTOPPED(s) (((s) & 255) == 127)
#define WSTOPSIG(s) WEXITSTATUS(s)
#define WEXITSTATUS(s) (((s) >> 8) & 255)
#define WIFEXITED(s) (((s) & 127) == 0)
#define WIFSIGNALED(s) (((s) & 127) != 0 && ((s) & 127) != 127)
pid_t wait(int *);
pid_t waitpid(pid_t, int *, int);
int waitid(idtype_t, id_t, siginfo_t *, int);
pid_t wait3(int *, int, struct rusage *);
pid_t wait4(pid_t, int *, int, struct rusage *);
#endif
