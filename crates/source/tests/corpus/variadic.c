#define p(fmt, ...) printf(fmt, __VA_ARGS__)
#define gn(fmt, ...) printf(fmt, ## __VA_ARGS__)
#define named(fmt, args...) printf(fmt, ## args)
#define only(...) f(0, ## __VA_ARGS__)
#define all(...) [__VA_ARGS__]
p("a", 1) p("a", 1, 2) p("a",) p("a")
gn("a") gn("a",) gn("a", 1) gn("a", 1, (2, 3))
named("a") named("a", x, y)
only() only(1) only(1, 2) only( )
all() all(1) all(1,2) all( a , b ) all(,) all((,),)
#define opt(f, ...) f(a __VA_OPT__(,) __VA_ARGS__)
opt(x) opt(x, 1) opt(x, ) opt(x, 1, 2)
#define E
opt(x, E)
#define optp(x, ...) x ## __VA_OPT__(y z) end
optp(1) optp(1, 2)
#define optq(x, ...) __VA_OPT__(a ## x) ## b
optq(1) optq(1, 2)
#define COMMA ,
gn("a", COMMA) p(COMMA, COMMA)
#define count(...) pick(__VA_ARGS__, 4, 3, 2, 1, 0)
#define pick(a, b, c, d, n, ...) n
count(x) count(x, y) count(x, y, z)
#define N 7
gn("n", N) named("n", N, xN)
#define tail(x, ...) x ## __VA_ARGS__ e
tail(a) tail(a, b) tail(a, b, c)
