#ifndef __AXLE_STDLIB_H
#define __AXLE_STDLIB_H
#include <stddef.h>
#include <alloca.h>
#include <sys/types.h>
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;
void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void *aligned_alloc(size_t, size_t);
int posix_memalign(void **, size_t, size_t);
void free(void *);
_Noreturn void abort(void);
_Noreturn void exit(int);
_Noreturn void _Exit(int);
_Noreturn void quick_exit(int);
int atexit(void (*)(void));
int atoi(const char *);
long atol(const char *);
long long atoll(const char *);
long strtol(const char *, char **, int);
unsigned long strtoul(const char *, char **, int);
long long strtoll(const char *, char **, int);
unsigned long long strtoull(const char *, char **, int);
double atof(const char *);
double strtod(const char *, char **);
int setenv(const char *, const char *, int);
int unsetenv(const char *);
int putenv(char *);
void srand48(long);
long nrand48(unsigned short *);
char *initstate(unsigned, char *, size_t);
void *reallocarray(void *, size_t, size_t);
int mkstemp(char *);
int mkostemp(char *, int);
char *mkdtemp(char *);
char *mktemp(char *);
int clearenv(void);
char *secure_getenv(const char *);
float strtof(const char *, char **);
long double strtold(const char *, char **);
lldiv_t lldiv(long long, long long);
int at_quick_exit(void (*)(void));
int on_exit(void (*)(int, void *), void *);
double erand48(unsigned short[3]);
long mrand48(void);
unsigned short *seed48(unsigned short[3]);
char *setstate(char *);
void qsort_r(void *, size_t, size_t, int (*)(const void *, const void *, void *), void *);
int mblen(const char *, size_t);
int mbtowc(wchar_t *, const char *, size_t);
int wctomb(char *, wchar_t);
size_t mbstowcs(wchar_t *, const char *, size_t);
size_t wcstombs(char *, const wchar_t *, size_t);
int getloadavg(double[], int);
int getsubopt(char **, char *const *, char **);
int posix_openpt(int);
int grantpt(int);
int unlockpt(int);
char *ptsname(int);
#define MB_CUR_MAX 1
#define WNOHANG 1
#define WUNTRACED 2
#define WEXITSTATUS(s) (((s) >> 8) & 255)
#define WIFEXITED(s) (((s) & 127) == 0)
#define WIFSIGNALED(s) (((s) & 127) != 0 && ((s) & 127) != 127)
#define WTERMSIG(s) ((s) & 127)
#define WIFSTOPPED(s) (((s) & 255) == 127)
#define WSTOPSIG(s) WEXITSTATUS(s)
char *realpath(const char *, char *);
int abs(int);
long labs(long);
long long llabs(long long);
div_t div(int, int);
ldiv_t ldiv(long, long);
int rand(void);
void srand(unsigned);
int rand_r(unsigned *);
long random(void);
void srandom(unsigned);
char *getenv(const char *);
long lrand48(void);
double drand48(void);
int system(const char *);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
#endif
