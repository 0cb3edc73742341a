/* The automaton of the formula has 2^20 locations. */
bit a, b, c, d, e, f, g, h;
active proctype P() { do :: a = 1 - a :: b = 1 - b :: c = 1 - c :: d = 1 - d :: e = 1 - e :: f = 1 - f :: g = 1 - g :: h = 1 - h od }
ltl large {
    !(([]<>a && []<>b && []<>c && []<>d && []<>e && []<>f && []<>g && []<>h) ->
      ((a U (b U (c U (d U (e U (f U (g U h))))))) && (h U (g U (f U (e U (d U (c U (b U a))))))) &&
       ((a U b) U (c U d)) U ((e U f) U (g U h)) && [](a -> X X X X X X b) && [](c -> X X X X X X d) && [](e -> X X X X X X f)))
}
