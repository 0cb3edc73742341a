#ifndef __AXLE_UCHAR_H
#define __AXLE_UCHAR_H
#include <stddef.h>
#include <stdint.h>
typedef uint_least16_t char16_t;
typedef uint_least32_t char32_t;
#endif
