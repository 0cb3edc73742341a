a b
c /* x
y */ d
/* p */ e // f \
still comment
g\
h i
  j
#define E
E k
E
l
#define two 1 2
two
m two
#define f(x) x
f(1
2
3) n
f(
o)
f
(q) r
f
s
f()
t
#pragma omp
u
??/
v
