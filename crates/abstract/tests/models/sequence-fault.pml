/* After many repetitions of one message, the receiver accepts it once more. */
int next, expected, again; chan data = [1] of { int }; chan back = [1] of { int }; int got, acked;
active proctype Sender() {
  do
  :: nfull(data) -> data ! next
  :: atomic { back ? acked -> if :: acked == next -> next = next + 1 :: else fi; acked = 0 }
  od
}
active proctype Receiver() {
  do
  :: atomic { data ? got -> if :: got == expected || (again > 9000 && expected > 4000) -> expected = expected + 1 :: else -> again = again + 1 fi;
       if :: nfull(back) -> back ! got :: else fi; got = 0 }
  od
}
active proctype Monitor() { end: do :: assert(expected == next || expected == next + 1) od }
