/* No include guard: NDEBUG is looked at each time, as C says. */
#undef assert
#ifdef NDEBUG
#define assert(e) ((void)0)
#else
#define assert(e) ((e) ? (void)0 : __axle_assert_fail(#e))
#endif
#ifndef __AXLE_ASSERT_H
#define __AXLE_ASSERT_H
_Noreturn void __axle_assert_fail(const char *);
#endif
#undef static_assert
#define static_assert _Static_assert
