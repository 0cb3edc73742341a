/* Two senders hand numbered messages over lossy lines to two receivers, which acknowledge them: 421,201 states, stored by
   Axle in 172 bytes, 1,376 bits. That is the shape of the example in figure 15 of Holzmann's lecture notes of 2000, with
   427,567 states of 1,376 bits. For `cargo xtask coverage`. */

#ifndef N
#define N 2
#endif
#define LAST 3

mtype = { data, ack };

chan line[N] = [2] of { mtype, int, int };
chan back[N] = [1] of { mtype, int };
int got[N * LAST];
int sum[N];
byte done;

active [N] proctype sender()
{
	int next, window[4], heard;
	do
	:: next < LAST && next - heard < 1 ->
		window[next & 3] = (next + 1) * 1000 + _pid;
		line[_pid] ! data(next, window[next & 3]);
		next++
	:: back[_pid] ? ack(heard)
	:: next > heard && nfull(line[_pid]) ->
		line[_pid] ! data(heard, window[heard & 3])
	:: heard == LAST -> break
	od;
	window[0] = 0;
	window[1] = 0;
	window[2] = 0;
	window[3] = 0;
	done++
}

active [N] proctype receiver()
{
	int wanted, number, value;
	int me = _pid - N;
end:	do
	:: line[me] ? data(number, value) ->
		if
		:: number == wanted ->
			got[me * LAST + wanted] = value;
			sum[me] = sum[me] + value;
			wanted++
		:: else
		fi;
		back[me] ! ack(wanted)
	:: line[me] ? data(number, value) -> skip
	od
}
