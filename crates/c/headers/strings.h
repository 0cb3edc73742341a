#ifndef __AXLE_STRINGS_H
#define __AXLE_STRINGS_H
#include <string.h>
int strcasecmp(const char *, const char *);
int strncasecmp(const char *, const char *, size_t);
void bzero(void *, size_t);
int ffs(int);
int bcmp(const void *, const void *, size_t);
void bcopy(const void *, void *, size_t);
char *index(const char *, int);
char *rindex(const char *, int);
int ffsl(long);
int ffsll(long long);
#endif
