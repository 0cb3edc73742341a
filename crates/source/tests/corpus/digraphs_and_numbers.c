%:define X <: 1 :>
X <% %>
%:define cat(a,b) a %:%: b
cat(x,y)
0x1E+1 1.2.3 .5e+3 1e-3 0x1p-2 1..2 5.x a.b a..b ...
"a" "b\"c" L"x" u8"y" u'c' U'\x10' L'\'' '"' "'"
a+++++b a->b->c a<<=b>>=c x^=y|=z&=w%=v
a ## b # c
$dollar a$b
