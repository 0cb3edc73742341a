/* A counter reaches its limit after 1000 steps, beside 2 processes with large state spaces. */
int count;
active [2] proctype noise() { byte a, b; do :: a < 200 -> a++ :: b < 200 -> b++ :: a > 0 -> a-- od }
active proctype counter() {
	do
	:: count < 1000 -> count++
	:: count == 1000 -> assert(false)
	od
}
