/* Three missionaries and three cannibals: the solution is reported as a violation. */
byte m = 3, c = 3; bool left = true;
active proctype boat() {
	byte i, j;
	do
	:: select(i : 0 .. 2); select(j : 0 .. 2);
	   if
	   :: i + j >= 1 && i + j <= 2 && left && m >= i && c >= j &&
	      (m - i == 0 || m - i >= c - j) && (3 - m + i == 0 || 3 - m + i >= 3 - c + j) -> d_step { m = m - i; c = c - j; left = false }
	   :: i + j >= 1 && i + j <= 2 && !left && 3 - m >= i && 3 - c >= j &&
	      (m + i == 0 || m + i >= c + j) && (3 - m - i == 0 || 3 - m - i >= 3 - c - j) -> d_step { m = m + i; c = c + j; left = true }
	   :: else
	   fi;
	   assert(m + c > 0)
	od
}
