/* Go:
 *	ch := make(chan int)
 *	for i := 0; i < 2; i++ { go func() { ch <- fetch(i) }() }
 *	select { case v := <-ch: return v; case <-timeout: return nil }
 * The slower goroutine blocks forever on ch.
 */
chan ch = [0] of { byte };
chan tmo = [0] of { bit };

proctype fetch(chan out; byte i)
{
	out!i
}

proctype after(chan c)
{
	if
	:: c!1
	:: skip
	fi
}

init {
	byte i, v;

	for (i : 0 .. 1) {
		run fetch(ch, i)
	}
	run after(tmo);
	if
	:: ch?v -> printf("first: %d\n", v)
	:: tmo?_ -> printf("timeout\n")
	fi
}
