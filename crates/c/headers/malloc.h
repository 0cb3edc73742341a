#ifndef __AXLE_MALLOC_H
#define __AXLE_MALLOC_H
#include <stdio.h>
#include <stdlib.h>
void *memalign(size_t, size_t);
#endif
