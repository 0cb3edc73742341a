#ifndef __AXLE_MATH_H
#define __AXLE_MATH_H
#define M_PI 3.14159265358979323846
#define M_E 2.7182818284590452354
#define M_LN2 0.69314718055994530942
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define M_LN10 2.30258509299404568402
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define HUGE_VAL (1.0 / 0.0)
#define HUGE_VALF ((float)(1.0 / 0.0))
#define INFINITY ((float)(1.0 / 0.0))
#define NAN __builtin_nanf("")
typedef float float_t;
typedef double double_t;
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
/* All but the kinds of small numbers are the same for a `float` as for the `double` of its value. */
int __axle_fpclassify(double);
int __axle_fpclassifyf(float);
int isnan(double);
int isinf(double);
int isfinite(double);
int signbit(double);
#define fpclassify(x) (sizeof(x) == sizeof(float) ? __axle_fpclassifyf(x) : __axle_fpclassify(x))
#define isnormal(x) (fpclassify(x) == FP_NORMAL)
#define isunordered(x, y) (isnan(x) || isnan(y))
#define isgreater(x, y) ((x) > (y))
#define isgreaterequal(x, y) ((x) >= (y))
#define isless(x, y) ((x) < (y))
#define islessequal(x, y) ((x) <= (y))
#define islessgreater(x, y) ((x) < (y) || (x) > (y))
double copysign(double, double);
float copysignf(float, float);
double rint(double);
double nearbyint(double);
float rintf(float);
float nearbyintf(float);
long lrint(double);
long lrintf(float);
long long llrint(double);
long long llrintf(float);
long lround(double);
long lroundf(float);
long long llround(double);
long long llroundf(float);
double fdim(double, double);
float fdimf(float, float);
float fminf(float, float);
float fmaxf(float, float);
double modf(double, double *);
float modff(float, float *);
double frexp(double, int *);
double ldexp(double, int);
double scalbn(double, int);
float ldexpf(float, int);
double nan(const char *);
double fabs(double);
double sqrt(double);
double floor(double);
double ceil(double);
double fmod(double, double);
double pow(double, double);
double sin(double);
double cos(double);
double tan(double);
double exp(double);
double log(double);
double asin(double);
double acos(double);
double atan(double);
double sinh(double);
double cosh(double);
double tanh(double);
double exp2(double);
double expm1(double);
double log2(double);
double log10(double);
double log1p(double);
double cbrt(double);
double round(double);
double trunc(double);
double atan2(double, double);
double hypot(double, double);
double fmin(double, double);
double fmax(double, double);
float fabsf(float);
float sqrtf(float);
float floorf(float);
float ceilf(float);
float roundf(float);
float truncf(float);
float sinf(float);
float cosf(float);
float tanf(float);
float expf(float);
float logf(float);
float powf(float, float);
float fmodf(float, float);
#endif
