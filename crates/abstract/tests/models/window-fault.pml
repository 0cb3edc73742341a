/* The window is tested and used in two steps by two senders. */
int sent, acked;
active [2] proctype Sender() { do :: sent - acked < 8 -> skip; sent = sent + 1 od }
active proctype Receiver() { do :: sent != acked -> acked = acked + 1 od }
active proctype Monitor() { end: do :: assert(sent - acked <= 8) od }
