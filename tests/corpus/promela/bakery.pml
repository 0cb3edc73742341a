/* Lamport's bakery algorithm for two processes; tickets are bounded by
 * resetting, the run is cut when a ticket would exceed MAXT. */
#define N    2
#define MAXT 4

bool choosing[N];
byte number[N];
byte critical = 0;

inline max(m) {
	m = 0; j = 0;
	do
	:: j < N ->
		if
		:: number[j] > m -> m = number[j]
		:: else -> skip
		fi;
		j++
	:: else -> break
	od
}

proctype customer(byte i)
{
	byte j, m;

	do
	::	choosing[i] = true;
		max(m);
		if
		:: m < MAXT -> number[i] = m + 1
		:: else -> choosing[i] = false; break
		fi;
		choosing[i] = false;
		j = 0;
		do
		:: j < N && j != i ->
			(!choosing[j]);
			(number[j] == 0 || number[j] > number[i] ||
			 (number[j] == number[i] && j > i));
			j++
		:: j == i -> j++
		:: j == N -> break
		od;
		critical++;
		assert(critical == 1);
		critical--;
		number[i] = 0
	od
}

init { atomic { run customer(0); run customer(1) } }
