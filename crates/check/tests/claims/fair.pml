bool x, y;
active proctype Toggle() { do :: x = !x od }
active proctype Other() { do :: y = !y od }
ltl toggles { [] <> x }
ltl stays { <> [] x }
