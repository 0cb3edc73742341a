#ifndef __AXLE_INTTYPES_H
#define __AXLE_INTTYPES_H
#include <stdint.h>
#ifdef __LP64__
#define __AXLE_PRI64 "l"
#else
#define __AXLE_PRI64 "ll"
#endif
#define PRId8 "d"
#define PRIu8 "u"
#define PRIx8 "x"
#define PRId16 "d"
#define PRIu16 "u"
#define PRIx16 "x"
#define PRId32 "d"
#define PRIi32 "i"
#define PRIu32 "u"
#define PRIx32 "x"
#define PRIX32 "X"
#define PRId64 __AXLE_PRI64 "d"
#define PRIi64 __AXLE_PRI64 "i"
#define PRIu64 __AXLE_PRI64 "u"
#define PRIx64 __AXLE_PRI64 "x"
#define PRIX64 __AXLE_PRI64 "X"
#define PRIdPTR "ld"
#define PRIuPTR "lu"
#define PRIxPTR "lx"
#define PRIdMAX __AXLE_PRI64 "d"
#define PRIuMAX __AXLE_PRI64 "u"
#endif
