#ifndef __AXLE_STRING_H
#define __AXLE_STRING_H
#include <stddef.h>
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t);
void *memchr(const void *, int, size_t);
size_t strlen(const char *);
size_t strnlen(const char *, size_t);
char *strcpy(char *, const char *);
char *strncpy(char *, const char *, size_t);
char *strcat(char *, const char *);
char *strncat(char *, const char *, size_t);
int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t);
char *strchr(const char *, int);
char *strrchr(const char *, int);
char *strstr(const char *, const char *);
char *strdup(const char *);
char *strndup(const char *, size_t);
char *strtok(char *, const char *);
char *strtok_r(char *, const char *, char **);
char *strerror(int);
size_t strspn(const char *, const char *);
size_t strcspn(const char *, const char *);
char *strpbrk(const char *, const char *);
char *stpcpy(char *, const char *);
size_t strlcpy(char *, const char *, size_t);
size_t strlcat(char *, const char *, size_t);
char *strsep(char **, const char *);
char *strcasestr(const char *, const char *);
char *strchrnul(const char *, int);
int strcoll(const char *, const char *);
size_t strxfrm(char *, const char *, size_t);
char *strsignal(int);
const char *strerrorname_np(int);
int strverscmp(const char *, const char *);
void *rawmemchr(const void *, int);
void explicit_bzero(void *, size_t);
int strcasecmp(const char *, const char *);
int strncasecmp(const char *, const char *, size_t);
void *mempcpy(void *, const void *, size_t);
void bzero(void *, size_t);
void *memrchr(const void *, int, size_t);
void *memmem(const void *, size_t, const void *, size_t);
void *memccpy(void *, const void *, int, size_t);
char *stpncpy(char *, const char *, size_t);
int ffsl(long);
int ffsll(long long);
#ifdef _GNU_SOURCE
char *__axle_gnu_strerror_r(int, char *, size_t);
#define strerror_r __axle_gnu_strerror_r
#else
int strerror_r(int, char *, size_t);
#endif
#endif
