/* Go:
 *
 *   var wg sync.WaitGroup
 *   ch := make(chan int, 1)
 *   for i := 1; i <= N; i++ { wg.Add(1); go func() { ch <- i; wg.Done() }() }
 *   go func() { wg.Wait(); close(ch) }()
 *   for x := range ch { sum += x }
 */
#define N 3

typedef WaitGroup {
	chan add = [0] of { short };
	chan waiting = [0] of { bit }
}

typedef Channel {
	chan buf = [1] of { byte };
	chan close = [0] of { bit }
}

WaitGroup wg;
Channel ch;
byte sum;
bool finished;

proctype wgServer(chan add, waiting)
{
	short counter, i;

end:	do
	:: add?i ->
		counter = counter + i;
		assert(counter >= 0)
	:: counter == 0 ->
end_zero:	if
		:: add?i -> counter = counter + i
		:: waiting!1
		fi
	od
}

proctype worker(chan buf, add; byte i)
{
	buf!i;
	add!-1
}

proctype closer(chan waiting, close)
{
	waiting?1;
	close!1
}

init {
	byte i, x;

	run wgServer(wg.add, wg.waiting);
	for (i : 1 .. N) {
		wg.add!1;
		run worker(ch.buf, wg.add, i)
	}
	run closer(wg.waiting, ch.close);
	do
	:: ch.buf?x -> sum = sum + x
	:: ch.close?1 -> break
	od;
	do
	:: ch.buf?x -> sum = sum + x
	:: empty(ch.buf) -> break
	od;
	assert(sum == 6);
	finished = true
}
