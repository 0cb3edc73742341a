#define cat(x, y) x ## y
#define xcat(x, y) cat(x, y)
#define AB ab_value
#define A aa
#define B bb
cat(A, B) xcat(A, B) cat(A B, A B) xcat(A B, A B)
cat(1, 2) cat(1, e) cat(x, 1) cat(+, +) cat(-, >) cat(<<, =) cat(, x) cat(x, ) cat(,)
#define e3(a, b, c) a ## b ## c
e3(<, <, =) e3(, , z) e3(z, , ) e3(x, , y) [e3(,,)]
#define lit x ## y ## 1 z##z
lit
#define pre(x) before_ ## x after
pre(1) pre() pre(a b)
#define post(x) x ## _after
post(1) post() post(a b)
#define args(x, y) x y ## x x
args(A, B)
#define self se ## lf
self
#define L(x) L ## x
L('a') L("s") L(x)
#define m(x) mac ## x
#define mac1(y) [y]
m(1)(2) m(1) (3)
