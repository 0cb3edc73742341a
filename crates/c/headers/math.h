#ifndef __AXLE_MATH_H
#define __AXLE_MATH_H
#define M_PI 3.14159265358979323846
#define M_E 2.7182818284590452354
#define M_LN2 0.69314718055994530942
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_SQRT2 1.41421356237309504880
#define HUGE_VAL (1.0 / 0.0)
#define INFINITY ((float)(1.0 / 0.0))
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
