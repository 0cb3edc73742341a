#define f(x, y) x + y
f(1,
#ifdef f
2
#else
3
#endif
) end
#define g(x) [x]
g(
#undef g
a
) g(1)
#define T(x) x
T(a
#define U 5
U) U
