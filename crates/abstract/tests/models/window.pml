/* A window of 8 messages between two counters that wrap. */
int sent, acked;
active proctype Sender() { do :: sent - acked < 8 -> sent = sent + 1 od }
active proctype Receiver() { do :: sent != acked -> acked = acked + 1 od }
active proctype Monitor() { end: do :: assert(sent - acked >= 0 && sent - acked <= 8) od }
