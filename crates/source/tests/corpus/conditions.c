#define ONE 1
#define ZERO 0
#define F(x) ((x) * 2)
#if ONE
yes1
#else
no
#endif
#if ZERO
no
#elif ONE
yes2
#elif 1/0
no
#else
no
#endif
#ifdef ONE
yes3
#endif
#ifndef ONE
no
#else
yes4
#endif
#if defined ONE && defined(ZERO) && !defined NOPE && F(2) == 4
yes5
#endif
#if 1 + 2 * 3 == 7 && (1 + 2) * 3 == 9 && 10 % 4 == 2 && -7 / 2 == -3 && -7 % 2 == -1
yes6
#endif
#if -1 > 0u
yes7
#endif
#if (1 ? -1 : 0u) > 0
yes8
#endif
#if 0 && 1/0 || 1 || 1/0
yes9
#endif
#if 'a' == 97 && '\n' == 10 && '\x41' == 65 && '\101' == 65 && 'ab' == 24930 && '\377' < 0
yes10
#endif
#if 0x10 == 16 && 010 == 8 && 0b101 == 5 && 18446744073709551615u == -1 && 1ull << 63 > 0
yes11
#endif
#if ~0 == -1 && !0 && !!5 == 1 && (3 & 5) == 1 && (3 | 5) == 7 && (3 ^ 5) == 6
yes12
#endif
#if 1 << 2 + 1 == 8 && -8 >> 1 == -4 && 1 << -1 == 0 && (1 << 64) == 0
yes13
#endif
#if undefined_name == 0 && true_name == 0
yes14
#endif
#if 1 ? 2 ? 3 : 4 : 5
yes15
#endif
#if (0x7fffffffffffffff + 1) < 0 && 9223372036854775807 > 0
yes16
#endif
#define HAS defined(ONE) && defined ZERO
#if HAS
yes17
#endif
#if 0
#if 1
no
#else
no
#endif
#error no
don't " worry
#elif 0
#else
yes18
#endif
#ifdef NOPE
#elifdef ONE
yes19
#endif
#ifdef NOPE
#elifndef NOPE2
yes20
#endif
#if __LINE__ == 105
yes21
#endif
#if 2 || (1, 0)
yes22
#endif
#if 1 == 1L && 1 == 1UL && 1 == 1LLU && L'a' == 97
yes23
#endif
