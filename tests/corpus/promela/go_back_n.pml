// Go-back-N, window of W frames, sequence numbers modulo M
#define W 2
#define M 4
#define NFRAMES 6

chan data = [W] of { byte, byte };   // seq, payload
chan acks = [W] of { byte };         // next expected

byte delivered = 0;

inline inc(x) { x = (x + 1) % M }

active proctype sender() {
  byte base = 0, next = 0, nexti = 0, basei = 0, a, d;
  do
  :: nexti < NFRAMES && nexti - basei < W && nfull(data) ->
       atomic { data!next,nexti; inc(next); nexti++ }
  :: acks?a ->
       d_step {
         d = (a + M - base) % M;
         if
         :: d <= W -> base = a; basei = basei + d
         :: else
         fi
       }
  :: timeout && basei < NFRAMES ->
       atomic { next = base; nexti = basei }
  :: basei == NFRAMES -> break
  od
}

active proctype receiver() {
  byte s, p, expect = 0;
end:
  do
  :: data?s,p ->
       if
       :: s == expect ->
            assert(p == delivered);
            delivered++;
            inc(expect)
       :: else -> skip
       fi;
       if
       :: nfull(acks) -> acks!expect
       :: true -> skip    // the acknowledgement is lost
       fi
  od
}

active proctype loss() {
  byte s, p;
end:
  do
  :: data?s,p
  od
}
