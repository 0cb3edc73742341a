/* In-memory file system: one lock per inode, parent locked before child. */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>

#define NAME_LEN   8
#define DIR_SIZE   3
#define NUM_INODES 5

typedef enum { INODE_FREE = 0, INODE_DIR, INODE_FILE } inode_type;

typedef struct dirent_s {
    char name[NAME_LEN];
    int  ino;                       /* 0: unused */
} dirent_t;

typedef struct inode_s {
    pthread_mutex_t lock;
    inode_type      type;
    int             nlink;
    dirent_t        entries[DIR_SIZE];
} inode_t;

static inode_t inodes[NUM_INODES];
static pthread_mutex_t alloc_lock = PTHREAD_MUTEX_INITIALIZER;
#define ROOT 1

static int inode_alloc(inode_type type)
{
    int found = -ENOSPC;
    pthread_mutex_lock(&alloc_lock);
    for (int i = ROOT + 1; i < NUM_INODES; i++) {
        if (inodes[i].type == INODE_FREE) {
            inodes[i].type = type;
            inodes[i].nlink = 1;
            found = i;
            break;
        }
    }
    pthread_mutex_unlock(&alloc_lock);
    return found;
}

static void inode_free(int ino)
{
    pthread_mutex_lock(&alloc_lock);
    inodes[ino].type = INODE_FREE;
    inodes[ino].nlink = 0;
    pthread_mutex_unlock(&alloc_lock);
}

static dirent_t *dir_lookup(inode_t *dir, const char *name)
{
    for (int i = 0; i < DIR_SIZE; i++)
        if (dir->entries[i].ino != 0 &&
            strncmp(dir->entries[i].name, name, NAME_LEN) == 0)
            return &dir->entries[i];
    return NULL;
}

static int fs_create(int dirno, const char *name, inode_type type)
{
    inode_t *dir = &inodes[dirno];
    int rc = -ENOSPC;

    pthread_mutex_lock(&dir->lock);
    if (dir_lookup(dir, name) != NULL) {
        rc = -EEXIST;
        goto out;
    }
    for (int i = 0; i < DIR_SIZE; i++) {
        dirent_t *d = &dir->entries[i];
        if (d->ino != 0)
            continue;
        rc = inode_alloc(type);
        if (rc < 0)
            goto out;
        d->ino = rc;
        strncpy(d->name, name, NAME_LEN - 1);
        break;
    }
out:
    pthread_mutex_unlock(&dir->lock);
    return rc;
}

static int fs_unlink(int dirno, const char *name)
{
    inode_t *dir = &inodes[dirno];
    dirent_t *d;
    int rc = 0, ino;

    pthread_mutex_lock(&dir->lock);
    d = dir_lookup(dir, name);
    if (d == NULL) {
        rc = -ENOENT;
    } else {
        ino = d->ino;
        pthread_mutex_lock(&inodes[ino].lock);
        d->ino = 0;
        pthread_mutex_unlock(&inodes[ino].lock);
        inode_free(ino);
    }
    pthread_mutex_unlock(&dir->lock);
    return rc;
}

static void *creator(void *arg)
{
    int rc = fs_create(ROOT, arg, INODE_FILE);
    assert(rc > ROOT || rc == -EEXIST);
    return NULL;
}

static void *remover(void *arg)
{
    int rc = fs_unlink(ROOT, arg);
    if (rc != 0)
        fprintf(stderr, "unlink: %s\n", strerror(-rc));
    return NULL;
}

int main(void)
{
    pthread_t t[3];

    for (int i = 0; i < NUM_INODES; i++)
        pthread_mutex_init(&inodes[i].lock, NULL);
    inodes[ROOT].type = INODE_DIR;

    pthread_create(&t[0], NULL, creator, "a");
    pthread_create(&t[1], NULL, creator, "b");
    pthread_create(&t[2], NULL, remover, "a");
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);

    int used = 0;
    for (int i = 0; i < DIR_SIZE; i++)
        if (inodes[ROOT].entries[i].ino != 0)
            used++;
    int alloc = 0;
    for (int i = ROOT + 1; i < NUM_INODES; i++)
        if (inodes[i].type != INODE_FREE)
            alloc++;
    assert(used == alloc && used >= 1);
    return 0;
}
