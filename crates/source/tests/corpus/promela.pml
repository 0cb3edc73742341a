#define N 4
#define p (x > 0)
#define send(c, v) c!v; \
  printf("sent %d\n", v)
#define FOREVER do ::
#define OD od
mtype = { ack, nak }
chan q = [N] of { byte, mtype };
byte x, a[N];
inline incr(v) {
  v++
}
active [2] proctype P() {
  do
  :: q?? <x, ack> -> x--
  :: q ?? [x, ack] && x != N -> send(q, 1)
  :: else -> break
  od;
  FOREVER skip :: q!!x, nak OD
  end: atomic { (x -> a[0] : a[1]) > 2 -> goto end }
}
ltl l1 { [] (p -> <> (x == N)) && (p U !p) <-> []<>p }
#ifdef SYM
never { do :: !p -> break od }
#endif
/* isn't it */ // isn't it
P@end -> q?eval(x), _ ; q?<x, ack>
