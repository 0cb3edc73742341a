#ifndef __AXLE_UNISTD_H
#define __AXLE_UNISTD_H
#include <sys/types.h>
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define _SC_NPROCESSORS_ONLN 84
#define _SC_NPROCESSORS_CONF 83
#define _SC_PAGESIZE 30
unsigned sleep(unsigned);
int usleep(useconds_t);
pid_t getpid(void);
_Noreturn void _exit(int);
ssize_t read(int, void *, size_t);
ssize_t write(int, const void *, size_t);
int close(int);
long sysconf(int);
pid_t fork(void);
pid_t getppid(void);
pid_t gettid(void);
uid_t getuid(void);
uid_t geteuid(void);
gid_t getgid(void);
gid_t getegid(void);
int pipe(int[2]);
int unlink(const char *);
off_t lseek(int, off_t, int);
int isatty(int);
extern char *optarg;
extern int optind, opterr, optopt;
int getopt(int, char *const[], const char *);
int pause(void);
unsigned alarm(unsigned);
#endif
