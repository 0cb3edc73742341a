/**
 * @file block_pool.c
 * @brief Fixed-size block allocator with an intrusive free list.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <assert.h>
#include <pthread.h>

#define BLOCK_SIZE   16u
#define BLOCK_COUNT  3u

typedef union block_u
{
    union block_u *next;
    uint8_t        bytes[BLOCK_SIZE];
} block_t;

typedef struct
{
    block_t          storage[BLOCK_COUNT];
    block_t         *free_list;
    uint32_t         used;
    uint32_t         high_water;
    pthread_mutex_t  guard;
} pool_t;

static pool_t g_pool;

static void pool_init(pool_t *p)
{
    p->free_list = NULL;
    for (uint32_t i = 0u; i < BLOCK_COUNT; i++)
    {
        p->storage[i].next = p->free_list;
        p->free_list = &p->storage[i];
    }
    p->used = 0u;
    p->high_water = 0u;
    (void)pthread_mutex_init(&p->guard, NULL);
}

static void *pool_alloc(pool_t *p)
{
    block_t *b;

    (void)pthread_mutex_lock(&p->guard);
    b = p->free_list;
    if (b != NULL)
    {
        p->free_list = b->next;
        p->used++;
        if (p->used > p->high_water)
        {
            p->high_water = p->used;
        }
    }
    (void)pthread_mutex_unlock(&p->guard);
    return b;
}

static void pool_free(pool_t *p, void *mem)
{
    block_t *b = (block_t *)mem;

    assert(b >= &p->storage[0] && b < &p->storage[BLOCK_COUNT]);
    (void)pthread_mutex_lock(&p->guard);
    b->next = p->free_list;
    p->free_list = b;
    p->used--;
    (void)pthread_mutex_unlock(&p->guard);
}

static void *task(void *ctx)
{
    uint8_t tag = *(uint8_t *)ctx;
    uint8_t *m1 = pool_alloc(&g_pool);
    uint8_t *m2 = pool_alloc(&g_pool);

    if (m1 != NULL)
    {
        (void)memset(m1, tag, BLOCK_SIZE);
    }
    if (m2 != NULL)
    {
        (void)memset(m2, tag + 1, BLOCK_SIZE);
        assert(m2[0] == tag + 1 && m2[BLOCK_SIZE - 1u] == tag + 1);
        pool_free(&g_pool, m2);
    }
    if (m1 != NULL)
    {
        assert(m1[7] == tag);
        pool_free(&g_pool, m1);
    }
    return NULL;
}

int main(void)
{
    pthread_t  th[2];
    uint8_t    tags[2] = { 0x10u, 0x20u };

    pool_init(&g_pool);
    for (size_t i = 0u; i < 2u; i++)
    {
        (void)pthread_create(&th[i], NULL, task, &tags[i]);
    }
    for (size_t i = 0u; i < 2u; i++)
    {
        (void)pthread_join(th[i], NULL);
    }
    assert(g_pool.used == 0u);
    assert(g_pool.high_water >= 2u && g_pool.high_water <= BLOCK_COUNT);
    return 0;
}
