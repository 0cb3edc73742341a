/* An elevator for 3 floors that serves the nearest call first: a call may wait forever. */
#define N 3
bool call[N]; byte floor; bool open;
active proctype users() { byte f; do :: select(f : 0 .. N - 1); call[f] = true od }
active proctype elevator() {
	do
	:: call[floor] -> open = true; call[floor] = false; open = false
	:: floor > 0 && call[floor - 1] -> floor--
	:: floor < N - 1 && !call[0] -> floor++
	:: floor > 0 && !call[N - 1] -> floor--
	od
}
ltl answered { [] (call[N - 1] -> <> (floor == N - 1 && open)) }
