/* A directory protocol without a wait for the last invalidation: two caches own a line. */
#define N 3
mtype = { I, S, M };
mtype line[N] = I; chan req = [2] of { byte, bool };
active proctype directory() {
	byte id, j; bool write;
	do
	:: req?id, write ->
	   if
	   :: write -> j = 0; do :: j < N -> if :: j != id && line[j] != M -> line[j] = I :: else fi; j++ :: else -> break od; line[id] = M
	   :: else -> if :: line[id] == I -> line[id] = S :: else fi
	   fi;
	   assert(!(line[0] == M && line[1] == M) && !(line[1] == M && line[2] == M) && !(line[0] == M && line[2] == M))
	od
}
proctype cache(byte id) { do :: req!id, true :: req!id, false :: line[id] == S -> line[id] = I od }
init { atomic { run cache(0); run cache(1); run cache(2) } }
