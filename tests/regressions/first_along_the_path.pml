/* The first fault after a failing assertion inside a sequence: with merged paths, the report
   named the first fault found on another path, not the first one along its own.
   expected: 7 states, 11 transitions, Assertion, InvalidEnd */
bool even, used;
chan one = [1] of { bit, bit };
chan two = [2] of { bool, bool };

active proctype P() {
	if
	:: atomic {
		do
		:: used = 1;
		   two!0, 0;
		   even = 1 - even
		:: even = 1;
		   assert(0);
		   one!!0(0)
		od
	   }
	fi
}
