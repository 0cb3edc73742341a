/* Stop and wait with sequence numbers of 16 bits over channels that lose messages. */
unsigned next : 16; unsigned wanted : 16; unsigned got : 16; unsigned ack : 16;
chan data = [1] of { int };
chan back = [1] of { int };
active proctype Sender() {
  end: do
  :: nfull(data) -> data ! next
  :: atomic { back ? ack -> if :: ack == next -> next = next + 1 :: else fi }
  od
}
active proctype Receiver() {
  end: do
  :: atomic { data ? got -> if :: got == wanted -> wanted = wanted + 1 :: else fi }
  :: atomic { data ? got -> if :: got == wanted -> wanted = wanted + 1 :: else fi; if :: nfull(back) -> back ! got :: full(back) fi }
  :: nempty(data) -> data ? _
  od
}
active proctype Monitor() { do :: assert(((wanted - next) & 65535) <= 1) od }
