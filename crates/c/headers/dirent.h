#ifndef __AXLE_DIRENT_H
#define __AXLE_DIRENT_H
#include <sys/types.h>
/* Declared, so that programs can be read; calling them makes a verdict unknown. */
struct dirent { ino_t d_ino; off_t d_off; unsigned short d_reclen; unsigned char d_type; char d_name[256]; };
typedef struct __axle_folder DIR;
#define DT_UNKNOWN 0
#define DT_FIFO 1
#define DT_CHR 2
#define DT_DIR 4
#define DT_BLK 6
#define DT_REG 8
#define DT_LNK 10
#define DT_SOCK 12
DIR *opendir(const char *);
struct dirent *readdir(DIR *);
int readdir_r(DIR *, struct dirent *, struct dirent **);
void rewinddir(DIR *);
int closedir(DIR *);
int dirfd(DIR *);
DIR *fdopendir(int);
long telldir(DIR *);
void seekdir(DIR *, long);
int scandir(const char *, struct dirent ***, int (*)(const struct dirent *), int (*)(const struct dirent **, const struct dirent **));
int alphasort(const struct dirent **, const struct dirent **);
#endif
