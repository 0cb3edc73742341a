byte x, g;
inline add(v, k) { byte tmp = k; if :: v < 3 -> v = v + tmp :: else -> goto done fi; done: skip }
inline twice(n) { return n * 2 }
active proctype A() { byte y; add(x, 2); add(x, 1); y = twice(x); g = y }
active proctype B() { add(g, 1); g = 0 }
