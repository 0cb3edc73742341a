/* An assertion fails only after 6 correct choices among ten. */
byte right;
active [2] proctype noise() { byte x; do :: x = (x + 1) % 250 od }
active proctype lock() {
	byte d;
	do
	:: select(d : 0 .. 9);
	   if
	   :: d == (right * 7 + 3) % 10 -> right++
	   :: else -> right = 0
	   fi;
	   assert(right < 6)
	od
}
