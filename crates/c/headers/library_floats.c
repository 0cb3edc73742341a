/* Floating numbers, by their bits where need be. What others call here has a name of its own: programs have a `log` of another type. */
double __axle_round(double);
double __axle_trunc(double);
union __axle_double { double d; uint64_t u; };
union __axle_float { float f; uint32_t u; };
int __axle_fpclassify(double d)
{
    union __axle_double x = { d };
    uint64_t exponent = x.u >> 52 & 2047, rest = x.u << 12;
    if (exponent == 2047) return rest ? 0 : 1;
    return exponent ? 4 : rest ? 3 : 2;
}
int __axle_fpclassifyf(float f)
{
    union __axle_float x = { f };
    uint32_t exponent = x.u >> 23 & 255, rest = x.u << 9;
    if (exponent == 255) return rest ? 0 : 1;
    return exponent ? 4 : rest ? 3 : 2;
}
int isnan(double d) { return d != d; }
int isinf(double d) { int kind = __axle_fpclassify(d); return kind != 1 ? 0 : d < 0 ? -1 : 1; }
int isfinite(double d) { return __axle_fpclassify(d) > 1; }
int __axle_signbit(double d) { union __axle_double x = { d }; return x.u >> 63; }
double __axle_copysign(double d, double s)
{
    union __axle_double x = { d }, y = { s };
    x.u = (x.u & ~((uint64_t)1 << 63)) | (y.u & (uint64_t)1 << 63);
    return x.d;
}
float copysignf(float f, float s) { return (float)__axle_copysign(f, s); }
/* To the nearest, of two that are as near to the even one. From 2 to the 52nd on there are whole numbers only. */
double __axle_rint(double d)
{
    double large = 4503599627370496.0, n = d;
    if (d != d || d >= large || d <= -large) return d;
    if (__axle_signbit(d)) { n = d - large; n += large; }
    else { n = d + large; n -= large; }
    return __axle_copysign(n, d);
}
double nearbyint(double d) { return __axle_rint(d); }
float rintf(float f) { return (float)__axle_rint(f); }
float nearbyintf(float f) { return (float)__axle_rint(f); }
long lrint(double d) { return (long)__axle_rint(d); }
long lrintf(float f) { return (long)__axle_rint(f); }
long long llrint(double d) { return (long long)__axle_rint(d); }
long long llrintf(float f) { return (long long)__axle_rint(f); }
long lround(double d) { return (long)__axle_round(d); }
long lroundf(float f) { return (long)__axle_round(f); }
long long llround(double d) { return (long long)__axle_round(d); }
long long llroundf(float f) { return (long long)__axle_round(f); }
double fdim(double x, double y) { return x != x || y != y ? x + y : x > y ? x - y : 0.0; }
float fdimf(float x, float y) { return (float)fdim(x, y); }
float fminf(float x, float y) { return x != x ? y : y != y || x <= y ? x : y; }
float fmaxf(float x, float y) { return x != x ? y : y != y || x >= y ? x : y; }
double __axle_modf(double d, double *whole)
{
    *whole = __axle_trunc(d);
    return __axle_copysign(__axle_fpclassify(d) == 1 ? 0.0 : d - *whole, d);
}
float modff(float f, float *whole)
{
    double w, rest = __axle_modf(f, &w);
    *whole = (float)w;
    return (float)rest;
}
double frexp(double d, int *exponent)
{
    union __axle_double x = { d };
    int kind = __axle_fpclassify(d), least = 1022;
    *exponent = 0;
    if (kind < 3) return d;
    if (kind == 3) { x.d *= 18014398509481984.0; least += 54; }
    *exponent = (int)(x.u >> 52 & 2047) - least;
    x.u = (x.u & ~((uint64_t)2047 << 52)) | (uint64_t)1022 << 52;
    return x.d;
}
/* Products with powers of two are exact but for the last, which alone may come to a small number. */
double __axle_ldexp(double d, int n)
{
    union __axle_double by;
    for (int times = 0; times < 2 && n > 1023; times++) { d *= 0x1p1023; n -= 1023; }
    for (int times = 0; times < 2 && n < -1022; times++) { d *= 0x1p-969; n += 969; }
    by.u = (uint64_t)((n > 1023 ? 1023 : n < -1022 ? -1022 : n) + 1023) << 52;
    return d * by.d;
}
double scalbn(double d, int n) { return __axle_ldexp(d, n); }
float ldexpf(float f, int n) { return (float)__axle_ldexp(f, n); }
double nan(const char *s) { (void)s; return __builtin_nan(""); }
int fegetround(void) { return 0; }
int fesetround(int how) { return how != 0; }
int signbit(double d) { return __axle_signbit(d); }
double copysign(double d, double s) { return __axle_copysign(d, s); }
double rint(double d) { return __axle_rint(d); }
double modf(double d, double *whole) { return __axle_modf(d, whole); }
double ldexp(double d, int n) { return __axle_ldexp(d, n); }
double __axle_fabs(double);
float fabsf(float v) { return (float)__axle_fabs(v); }
double __axle_sqrt(double);
float sqrtf(float v) { return (float)__axle_sqrt(v); }
double __axle_floor(double);
float floorf(float v) { return (float)__axle_floor(v); }
double __axle_ceil(double);
float ceilf(float v) { return (float)__axle_ceil(v); }
float roundf(float v) { return (float)__axle_round(v); }
float truncf(float v) { return (float)__axle_trunc(v); }
double __axle_sin(double);
float sinf(float v) { return (float)__axle_sin(v); }
double __axle_cos(double);
float cosf(float v) { return (float)__axle_cos(v); }
double __axle_tan(double);
float tanf(float v) { return (float)__axle_tan(v); }
double __axle_exp(double);
float expf(float v) { return (float)__axle_exp(v); }
double __axle_log(double);
float logf(float v) { return (float)__axle_log(v); }
double __axle_pow(double, double);
float powf(float a, float b) { return (float)__axle_pow(a, b); }
double __axle_fmod(double, double);
float fmodf(float a, float b) { return (float)__axle_fmod(a, b); }
/* As the compiler has them, which glibc's header makes use of. */
int isinf_sign(double d) { int kind = __axle_fpclassify(d); return kind != 1 ? 0 : d < 0 ? -1 : 1; }
int isnormal(double d) { return __axle_fpclassify(d) == 4; }
int __axle_isnormal_float(float f) { return __axle_fpclassifyf(f) == 4; }
int fpclassify(int nan, int infinite, int normal, int subnormal, int zero, double d)
{
    int kinds[] = { nan, infinite, zero, subnormal, normal };
    return kinds[__axle_fpclassify(d)];
}
int __axle_fpclassify_float(int nan, int infinite, int normal, int subnormal, int zero, float f)
{
    int kinds[] = { nan, infinite, zero, subnormal, normal };
    return kinds[__axle_fpclassifyf(f)];
}
int isunordered(double x, double y) { return x != x || y != y; }
int isgreater(double x, double y) { return x > y; }
int isgreaterequal(double x, double y) { return x >= y; }
int isless(double x, double y) { return x < y; }
int islessequal(double x, double y) { return x <= y; }
int islessgreater(double x, double y) { return x < y || x > y; }
