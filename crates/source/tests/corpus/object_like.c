#define N 3
#define M N+N
#define foo foo bar
#define a b
#define b a
x = N * M;
foo
a b
#define EMPTY
EMPTY y EMPTY z EMPTY
EMPTY
w
#undef N
N M
#define P -
-P P-P
#define LATER defined_later
LATER
#define defined_later 42
LATER
