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
int dup3(int, int, int);
int access(const char *, int);
int fsync(int);
int ftruncate(int, off_t);
int gethostname(char *, size_t);
char *getcwd(char *, size_t);
int chdir(const char *);
int rmdir(const char *);
int nice(int);
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
#define L_SET SEEK_SET
#define F_ULOCK 0
#define F_LOCK 1
#define F_TLOCK 2
#define F_TEST 3
pid_t vfork(void);
pid_t getpgrp(void);
pid_t getpgid(pid_t);
int setpgid(pid_t, pid_t);
pid_t setsid(void);
pid_t getsid(pid_t);
int setuid(uid_t);
int setgid(gid_t);
int seteuid(uid_t);
int setegid(gid_t);
int setreuid(uid_t, uid_t);
int setregid(gid_t, gid_t);
int getgroups(int, gid_t[]);
int execve(const char *, char *const[], char *const[]);
int execvpe(const char *, char *const[], char *const[]);
int execle(const char *, const char *, ...);
int daemon(int, int);
int link(const char *, const char *);
int symlink(const char *, const char *);
ssize_t readlink(const char *, char *, size_t);
int unlinkat(int, const char *, int);
int truncate(const char *, off_t);
int fdatasync(int);
int chown(const char *, uid_t, gid_t);
int fchown(int, uid_t, gid_t);
int lchown(const char *, uid_t, gid_t);
int fchdir(int);
int chroot(const char *);
int lockf(int, int, off_t);
int sethostname(const char *, size_t);
int getlogin_r(char *, size_t);
char *getlogin(void);
char *ttyname(int);
char *ctermid(char *);
char *get_current_dir_name(void);
pid_t tcgetpgrp(int);
int tcsetpgrp(int, pid_t);
long fpathconf(int, int);
size_t confstr(int, char *, size_t);
int getdtablesize(void);
int getentropy(void *, size_t);
useconds_t ualarm(useconds_t, useconds_t);
typedef unsigned socklen_t;
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
#define _SC_ARG_MAX 0
#define _SC_CHILD_MAX 1
#define _SC_NGROUPS_MAX 3
#define _SC_STREAM_MAX 5
#define _SC_TZNAME_MAX 6
#define _SC_JOB_CONTROL 7
#define _SC_SAVED_IDS 8
#define _SC_REALTIME_SIGNALS 9
#define _SC_PRIORITY_SCHEDULING 10
#define _SC_TIMERS 11
#define _SC_ASYNCHRONOUS_IO 12
#define _SC_FSYNC 15
#define _SC_MAPPED_FILES 16
#define _SC_MEMLOCK 17
#define _SC_MEMLOCK_RANGE 18
#define _SC_MEMORY_PROTECTION 19
#define _SC_MESSAGE_PASSING 20
#define _SC_SEMAPHORES 21
#define _SC_SHARED_MEMORY_OBJECTS 22
#define _SC_DELAYTIMER_MAX 26
#define _SC_MQ_OPEN_MAX 27
#define _SC_VERSION 29
#define _SC_RTSIG_MAX 31
#define _SC_SEM_NSEMS_MAX 32
#define _SC_SEM_VALUE_MAX 33
#define _SC_SIGQUEUE_MAX 34
#define _SC_TIMER_MAX 35
#define _SC_THREADS 67
#define _SC_THREAD_SAFE_FUNCTIONS 68
#define _SC_LOGIN_NAME_MAX 71
#define _SC_THREAD_DESTRUCTOR_ITERATIONS 73
#define _SC_THREAD_KEYS_MAX 74
#define _SC_THREAD_STACK_MIN 75
#define _SC_THREAD_THREADS_MAX 76
#define _SC_THREAD_ATTR_STACKADDR 77
#define _SC_THREAD_ATTR_STACKSIZE 78
#define _SC_THREAD_PRIORITY_SCHEDULING 79
#define _SC_THREAD_PRIO_INHERIT 80
#define _SC_THREAD_PRIO_PROTECT 81
#define _SC_THREAD_PROCESS_SHARED 82
#define _SC_PHYS_PAGES 85
#define _SC_AVPHYS_PAGES 86
#define _SC_BARRIERS 133
#define _SC_CLOCK_SELECTION 137
#define _SC_CPUTIME 138
#define _SC_THREAD_CPUTIME 139
#define _SC_MONOTONIC_CLOCK 149
#define _SC_READER_WRITER_LOCKS 153
#define _SC_SPIN_LOCKS 154
#define _SC_TIMEOUTS 164
#define _SC_HOST_NAME_MAX 180
#define _SC_LEVEL1_DCACHE_LINESIZE 190
#define _SC_THREAD_ROBUST_PRIO_INHERIT 247
#define _SC_THREAD_ROBUST_PRIO_PROTECT 248
#define _POSIX_BARRIERS 200809L
#define _POSIX_CLOCK_SELECTION 200809L
#define _POSIX_CPUTIME 0
#define _POSIX_MAPPED_FILES 200809L
#define _POSIX_MEMORY_PROTECTION 200809L
#define _POSIX_MONOTONIC_CLOCK 0
#define _POSIX_PRIORITY_SCHEDULING 200809L
#define _POSIX_READER_WRITER_LOCKS 200809L
#define _POSIX_REALTIME_SIGNALS 200809L
#define _POSIX_SEMAPHORES 200809L
#define _POSIX_SHARED_MEMORY_OBJECTS 200809L
#define _POSIX_SPIN_LOCKS 200809L
#define _POSIX_THREADS 200809L
#define _POSIX_THREAD_ATTR_STACKADDR 200809L
#define _POSIX_THREAD_ATTR_STACKSIZE 200809L
#define _POSIX_THREAD_CPUTIME 0
#define _POSIX_THREAD_PRIORITY_SCHEDULING 200809L
#define _POSIX_THREAD_PRIO_INHERIT 200809L
#define _POSIX_THREAD_PRIO_PROTECT 200809L
#define _POSIX_THREAD_PROCESS_SHARED 200809L
#define _POSIX_THREAD_SAFE_FUNCTIONS 200809L
#define _POSIX_TIMEOUTS 200809L
#define _POSIX_TIMERS 200809L
#define _POSIX_VERSION 200809L
#define _XOPEN_VERSION 700L
#define _PC_NAME_MAX 3
#define _PC_PATH_MAX 4
extern char *optarg;
extern int optind, opterr, optopt;
int getopt(int, char *const[], const char *);
int pause(void);
#define TEMP_FAILURE_RETRY(call) ({ long __axle_result; do __axle_result = (long)(call); while (__axle_result == -1 && errno == 4); __axle_result; })
unsigned alarm(unsigned);
#endif
