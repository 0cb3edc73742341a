/* The channel that delivers the value has an alias. */
chan a = [1] of { byte };
chan b = [1] of { byte };
chan names = [1] of { chan };
byte x, w;
proctype P(chan q) { w = 3; q!w }
active proctype R()
{
	chan p;
	names?p;
	p?x
}
init { run P(a); names!a; b!7 }
ltl three { [] (x == 0 || x == 3) }
ltl not_three { [] (x != 3) }
