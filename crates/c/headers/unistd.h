#ifndef __AXLE_UNISTD_H
#define __AXLE_UNISTD_H
#include <sys/types.h>
#include <stdint.h>
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
int pipe2(int[2], int);
int dup(int);
int dup2(int, int);
int access(const char *, int);
int fsync(int);
int ftruncate(int, off_t);
int gethostname(char *, size_t);
char *getcwd(char *, size_t);
int chdir(const char *);
int rmdir(const char *);
int nice(int);
int getpagesize(void);
long syscall(long, ...);
long pathconf(const char *, int);
void *sbrk(intptr_t);
int brk(void *);
ssize_t pread(int, void *, size_t, off_t);
ssize_t pwrite(int, const void *, size_t, off_t);
int execv(const char *, char *const[]);
int execvp(const char *, char *const[]);
int execl(const char *, const char *, ...);
int execlp(const char *, const char *, ...);
#define F_OK 0
#define R_OK 4
#define W_OK 2
#define X_OK 1
#define _SC_CLK_TCK 2
#define _SC_OPEN_MAX 4
#define _SC_PAGE_SIZE 30
#define _PC_NAME_MAX 3
#define _PC_PATH_MAX 4
extern char *optarg;
extern int optind, opterr, optopt;
int getopt(int, char *const[], const char *);
int pause(void);
unsigned alarm(unsigned);
#endif
