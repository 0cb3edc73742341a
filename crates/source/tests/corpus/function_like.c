#define f(a) a*g
#define g(a) f(a)
f(2)(9)
#define max(x, y) ((x) > (y) ? (x) : (y))
max(1, max(2, (3, 4)))
max (
  1 ,
  2
) after
next
max
no_use
#define nothing() none
nothing() nothing( ) nothing
#define one(x) <x>
one() one( ) one((,))
#define NIL(xxx) xxx
#define G_0(arg) NIL(G_1)(arg)
#define G_1(arg) NIL(arg)
G_0(42)
#define A(x) x B
#define B(x) x A
A(1)(2)(3)(4)(5)
#define LP (
f LP 1)
one LP 1)
#define q one
q (1) NIL(q)(2) NIL(one (3)) NIL(one) (4)
#define obj (x) y
obj
#define t(x,y,z) x ## y ## z
int j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,11,), t(,,12), t(,,) };
