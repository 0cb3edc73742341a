#define s(x) #x
#define v(...) #__VA_ARGS__
#define xs(x) s(x)
#define E
s(  a   b
 c  ) s("a\n" '\\' '"') s(a/**/b) s( /* c */ d) s(a"b"c) s() s("\"")
v(a, b ,c) v() v( , )
xs(E) xs(a E b) xs(a E+b) xs(-E -) xs(E x) xs(x E)
#define two(x, y) s(x) s(y) xs(x y) xs(x##y)
two(p, q)
s(x # y) s(L"abc") s(1.5e+3) s(a->b ... >>= %)
#define spaced(x) #  x
spaced( 1 + 2 )
#define N 10
s(N) xs(N) xs(s(N)) xs("N")
#define chained(x) xs(x) s(x)
chained(N) chained(s(1))
