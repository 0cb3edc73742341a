#ifndef __AXLE_SYS_STAT_H
#define __AXLE_SYS_STAT_H
#include <sys/types.h>
#include <time.h>
/* Declared, so that programs can be read; calling them makes a verdict unknown. */
struct stat { unsigned long st_dev, st_ino; mode_t st_mode; uid_t st_uid; gid_t st_gid; off_t st_size; time_t st_mtime; };
int stat(const char *, struct stat *);
int fstat(int, struct stat *);
int mkdir(const char *, mode_t);
int chmod(const char *, mode_t);
#endif
