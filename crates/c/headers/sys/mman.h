#ifndef __AXLE_SYS_MMAN_H
#define __AXLE_SYS_MMAN_H
#include <sys/types.h>
/* Declared, so that programs can be read; calling them makes a verdict unknown. */
#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_ANONYMOUS 32
#define MAP_ANON 32
#define MAP_FAILED ((void *)-1)
void *mmap(void *, size_t, int, int, int, off_t);
int munmap(void *, size_t);
#endif
