#ifndef __AXLE_MATH_H
#define __AXLE_MATH_H
#define M_PI 3.14159265358979323846
#define HUGE_VAL (1.0 / 0.0)
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
#endif
