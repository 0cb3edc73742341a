/* What lock-free programs take from the instruction sets: hints and fences. */
#ifndef __AXLE_IMMINTRIN_H
#define __AXLE_IMMINTRIN_H
#define _mm_pause() ((void)0)
#define _mm_mfence() __sync_synchronize()
#define _mm_lfence() __sync_synchronize()
#define _mm_sfence() __sync_synchronize()
#endif
