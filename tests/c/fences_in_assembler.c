/* Peterson's lock with x86 fences in assembler: memory is sequentially consistent here, so they have no effect. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifdef __axle__
#include <emmintrin.h>
#else
#define _mm_pause() __builtin_ia32_pause()
#define _mm_mfence() __sync_synchronize()
#endif

#define fence() __asm__ __volatile__("mfence" ::: "memory")

static atomic_int wants[2], turn;
static int inside;

static void *enter(void *arg)
{
    int me = arg != 0, other = !me;
    wants[me] = 1;
    turn = other;
    fence();
    while (wants[other] && turn == other) {
        asm volatile("pause\n\tnop" ::: "memory");
        _mm_pause();
        __builtin_ia32_pause();
    }
    inside++;
    assert(inside == 1);
    inside--;
    _mm_mfence();
    wants[me] = 0;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, enter, &t);
    enter(0);
    pthread_join(t, 0);
    return 0;
}
