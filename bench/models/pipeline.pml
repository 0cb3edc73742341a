/* A chain of stages, each of which keeps the larger of its value and the received one and passes on the smaller:
 * random numbers leave it sorted. Rendezvous, data in every stage. */
#define N 5
#define MAX 3

chan pipe[N] = [0] of { byte };

proctype Stage(chan in, out)
{
	byte held, coming, count;

	do
	:: count < N ->
		in?coming;
		count++;
		if
		:: coming > held -> out!held; held = coming
		:: else -> out!coming
		fi;
		coming = 0
	:: else -> break
	od
}

proctype Source()
{
	byte number, count;

	do
	:: count < N ->
		select (number : 1 .. MAX);
		pipe[0]!number;
		count++
	:: else -> break
	od
}

proctype Sink()
{
	byte number, count;

	do
	:: count < N -> pipe[N - 1]?number; assert(number == 0 || count + 1 >= N - 1); count++
	:: else -> break
	od
}

init
{
	byte i;

	atomic {
		run Source();
		for (i : 0 .. N - 2) { run Stage(pipe[i], pipe[i + 1]) }
		run Sink();
		i = 0
	}
}
