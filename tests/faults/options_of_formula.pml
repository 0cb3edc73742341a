/* Options that do not apply to the search for a formula were ignored without a word. */
int a, b;
active proctype count() {
	do
	:: a < 200 -> a++
	:: b < 200 -> b++
	:: else -> break
	od
}
ltl bounded { [] (a + b <= 400) }
ltl reached { <> (a == 200) }
