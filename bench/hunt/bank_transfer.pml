/* Transfers between accounts in two steps; an audit between them sees a wrong sum. */
#define N 4
short account[N];
active [3] proctype transfer() { byte a, b; do :: select(a : 0 .. N - 1); select(b : 0 .. N - 1); if :: account[a] > -5 && account[b] < 5 -> account[a]--; account[b]++ :: else fi od }
active proctype audit() { byte i; short sum; do :: atomic { sum = 0; i = 0; do :: i < N -> sum = sum + account[i]; i++ :: else -> break od; assert(sum >= -2) } od }
