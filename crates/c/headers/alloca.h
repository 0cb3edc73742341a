#ifndef __AXLE_ALLOCA_H
#define __AXLE_ALLOCA_H
#define alloca(n) __builtin_alloca(n)
#endif
