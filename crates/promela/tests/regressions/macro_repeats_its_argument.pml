/* Hundreds of thousands of declarations out of two lines. */
#define R(x) x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x
#define S(x) R(R(x))
#define T(x) S(S(x))
T(int x; int y;)
active proctype P() { skip }
