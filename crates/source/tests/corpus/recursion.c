#define A B C
#define B C A
#define C A B
A
B
#define f(x) f(x, x)
f(f(1))
f(f)(2)
#define g g(
g 1)
#define h(x) x(x)
h(h) h(h)(1)
#define Q(x) Q
Q(Q)(1) Q(1)(2)
#define EVAL(x) x
#define DEFER(x) x EMPTY()
#define EMPTY()
#define REP() r REP_I
#define REP_I() REP
DEFER(REP)()
EVAL(DEFER(REP)())
EVAL(EVAL(DEFER(REP)()()()))
#define AA BB
#define BB AA
EVAL(AA) EVAL(EVAL(BB))
#define foo() bar
#define bar foo
foo()() foo()()()
#define z(x) x z
z(1)(z(2)(3))(4)
