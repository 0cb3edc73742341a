/* Floating classification, rounding, parts; bit counts as constants; enumeration constants beyond int; overflow builtins by type. */
#include <assert.h>
#include <fenv.h>
#include <math.h>
#include <stddef.h>

enum large { LARGE = 0x100000000 };
enum negative { BELOW = -1, ABOVE = 0xffffffff };
enum whole { WHOLE = 0xffffffffffffffff, ONE = 1, TOP = 0x80000000 };
enum bits { EIGHT = __builtin_ctz(256), ODD = __builtin_parity(7) };
static int three[__builtin_popcountll(7)];

int main(void) {
    assert(isnan(NAN) && !isnan(1.0) && isinf(-INFINITY) && isfinite(0.0) && signbit(-0.0) && !signbit(0.0));
    assert(fpclassify(0.0) == FP_ZERO && fpclassify(1e-310) == FP_SUBNORMAL && fpclassify(1e-40f) == FP_SUBNORMAL);
    assert(fpclassify(1e-40) == FP_NORMAL && isnormal(1.0) && isunordered(NAN, 1.0) && !isgreater(1.0, 2.0));
    assert(rint(2.5) == 2.0 && rint(3.5) == 4.0 && lrint(-0.5) == 0 && lround(-2.5) == -3 && signbit(rint(-0.25)));
    double part;
    int exponent;
    assert(modf(-3.25, &part) == -0.25 && part == -3.0);
    assert(frexp(48.0, &exponent) == 0.75 && exponent == 6 && ldexp(0.75, 6) == 48.0);
    assert(frexp(4.9406564584124654e-324, &exponent) == 0.5 && exponent == -1073 && ldexp(0.5, -1073) > 0.0);
    assert(ldexp(1.0, 2000) == HUGE_VAL && ldexp(1.0, -2000) == 0.0 && fdim(3.0, 5.0) == 0.0 && fmaxf(1.f, 2.f) == 2.f);
    assert(fegetround() == FE_TONEAREST && copysign(2.0, -0.0) == -2.0);
    assert(LARGE < -1 && ABOVE > -1 && sizeof(ABOVE) == 8 && WHOLE > 0 && sizeof(TOP) == 8 && sizeof(ONE) == 4);
    assert(EIGHT == 8 && ODD == 1 && sizeof three == 3 * sizeof(int));
    unsigned u;
    int s;
    long l;
    assert(__builtin_uadd_overflow(4000000000u, 4000000000u, &u) && u == 3705032704u);
    assert(__builtin_ssub_overflow(-2147483647, 5, &s) && s == 2147483644);
    assert(__builtin_smull_overflow(1L << 62, 2, &l) && !__builtin_sadd_overflow(1, 2, &s) && s == 3);
    return 0;
}
