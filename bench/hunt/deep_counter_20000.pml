/* A counter reaches its limit after 20000 steps, beside 3 processes with large state spaces. */
int count;
active [3] proctype noise() { byte a, b; do :: a < 200 -> a++ :: b < 200 -> b++ :: a > 0 -> a-- od }
active proctype counter() {
	do
	:: count < 20000 -> count++
	:: count == 20000 -> assert(false)
	od
}
