/* Stop and wait with sequence numbers of 32 bits over channels that lose messages. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
int next, wanted, got, ack;
chan data = [1] of { int };
chan back = [1] of { int };
active proctype Sender() {
  end: do
  :: nfull(data) -> data ! next
  :: atomic { back ? ack -> if :: ack == next -> next = next + 1 :: else fi; ack = 0 }
  od
}
active proctype Receiver() {
  end: do
  :: atomic { data ? got -> if :: got == wanted -> wanted = wanted + 1 :: else fi; if :: nfull(back) -> back ! got :: full(back) fi; got = 0 }
  :: nempty(data) -> data ? _
  od
}
active proctype Monitor() { do :: assert(wanted - next <= 1 && wanted - next >= 0) od }
