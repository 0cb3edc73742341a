#ifndef __AXLE_ERROR_H
#define __AXLE_ERROR_H
void error(int, int, const char *, ...);
#endif
