#ifndef __AXLE_ERR_H
#define __AXLE_ERR_H
_Noreturn void err(int, const char *, ...);
_Noreturn void errx(int, const char *, ...);
void warn(const char *, ...);
void warnx(const char *, ...);
#endif
