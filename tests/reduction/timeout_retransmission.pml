/* A sender that repeats a lost frame on timeout. The receiver checks the order of frames; it fails
   because a repeated frame is taken for a new one. */
chan data = [2] of { bit, byte };
chan ack = [1] of { bit };
active proctype Sender() {
    bit seq; byte n;
    do
    :: n < 3 -> data!seq,n;
    wait:
        if
        :: ack?eval(seq) -> n++; seq = 1 - seq
        :: timeout -> data!seq,n; goto wait
        fi
    :: else -> break
    od
}
active proctype Receiver() {
    bit s; byte m, expected;
end:
    do
    :: data?s,m -> assert(m == expected); expected++; ack!s
    :: data?_,_ /* lost */
    :: data?s,m -> expected++ /* the acknowledgement is lost */
    od
}
