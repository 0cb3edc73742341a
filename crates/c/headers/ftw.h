#ifndef __AXLE_FTW_H
#define __AXLE_FTW_H
#include <sys/stat.h>
/* Declared, so that programs can be read; calling them makes a verdict unknown. */
#define FTW_F 0
#define FTW_D 1
#define FTW_DNR 2
#define FTW_NS 3
#define FTW_SL 4
#define FTW_DP 5
#define FTW_PHYS 1
#define FTW_DEPTH 8
struct FTW { int base, level; };
int ftw(const char *, int (*)(const char *, const struct stat *, int), int);
int nftw(const char *, int (*)(const char *, const struct stat *, int, struct FTW *), int, int);
#endif
