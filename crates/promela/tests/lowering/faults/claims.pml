chan c = [1] of { byte };
byte x;
init { x = 1; c!x; c?x }
never { do :: c!1 :: x -> break od } //~ E0430
trace { x = 1; c!1 } //~ E0431
notrace { c?1 } //~ E0432
ltl same { [] x }
ltl same { <> x } //~ E0302
never second { skip; byte mine; mine == 0 } //~ E0433
