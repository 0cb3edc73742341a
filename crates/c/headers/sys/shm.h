#ifndef __AXLE_SYS_SHM_H
#define __AXLE_SYS_SHM_H
#include <sys/ipc.h>
#include <time.h>
/* Declared, so that programs can be read; calling the functions makes a verdict unknown. */
typedef unsigned long shmatt_t;
struct shmid_ds {
    struct ipc_perm shm_perm;
    size_t shm_segsz;
    time_t shm_atime, shm_dtime, shm_ctime;
    pid_t shm_cpid, shm_lpid;
    shmatt_t shm_nattch;
    unsigned long __reserved4, __reserved5;
};
#define SHM_RDONLY 010000
#define SHM_RND 020000
#define SHM_R 0400
#define SHM_W 0200

int shmget(key_t, size_t, int);
void *shmat(int, const void *, int);
int shmdt(const void *);
int shmctl(int, int, struct shmid_ds *);
#endif
