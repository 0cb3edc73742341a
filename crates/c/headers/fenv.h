#ifndef __AXLE_FENV_H
#define __AXLE_FENV_H
/* Rounding is to nearest; a request for another mode fails. */
#define FE_TONEAREST 0
#define FE_DOWNWARD 0x400
#define FE_UPWARD 0x800
#define FE_TOWARDZERO 0xc00
int fegetround(void);
int fesetround(int);
/* What these do is not known: programs that come to them are not decided. */
#define FE_INVALID 1
#define FE_DIVBYZERO 4
#define FE_OVERFLOW 8
#define FE_UNDERFLOW 16
#define FE_INEXACT 32
#define FE_ALL_EXCEPT 61
typedef unsigned fexcept_t;
typedef struct { unsigned __axle[8]; } fenv_t;
int feclearexcept(int);
int feraiseexcept(int);
int fetestexcept(int);
int feholdexcept(fenv_t *);
int fegetenv(fenv_t *);
int fesetenv(const fenv_t *);
int feupdateenv(const fenv_t *);
#endif
