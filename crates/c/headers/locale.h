#ifndef __AXLE_LOCALE_H
#define __AXLE_LOCALE_H
#define LC_ALL 6
char *setlocale(int, const char *);
#endif
