/* parallel checksum of a message; block results are combined at the end */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <pthread.h>

#define NBLOCKS 2
#define BLOCKLEN 4

typedef struct {
    const unsigned char *p;
    size_t               len;
    int                  sum;
} block_t;

static unsigned char msg[NBLOCKS * BLOCKLEN] = "\xff\xfe\xfd\xfc\x01\x02\x03\x04";

static void *hash_block(void *arg)
{
    block_t *b = (block_t *)arg;
    int h = 17;

    for (size_t i = 0; i < b->len; i++)
        h = h * 31 * 31 + b->p[i] * 7919;
    b->sum = h;
    return b;
}

int main(void)
{
    pthread_t th[NBLOCKS];
    block_t   blocks[NBLOCKS];
    unsigned  total = 0;

    for (int i = 0; i < NBLOCKS; i++) {
        blocks[i].p = msg + i * BLOCKLEN;
        blocks[i].len = BLOCKLEN;
        if (pthread_create(&th[i], NULL, hash_block, &blocks[i]))
            abort();
    }
    for (int i = 0; i < NBLOCKS; i++) {
        void *res;
        pthread_join(th[i], &res);
        total ^= (unsigned)((block_t *)res)->sum;
    }
    printf("%08x\n", total);
    return 0;
}
