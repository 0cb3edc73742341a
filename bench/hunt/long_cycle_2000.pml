/* An acceptance cycle of 2000 steps, beside processes with large state spaces. */
short x; bool p;
active proctype cycle() { do :: x < 2000 -> x++ :: else -> x = 0; p = false :: x == 7 -> p = true od }
active [2] proctype noise() { byte a, b; do :: a = (a + 1) % 100 :: b = (b + 3) % 100 od }
ltl never_again { <> [] !p }
