/* A sender that has probed a closed window often sends beyond it. */
int sent, acked, probes;
active proctype Sender() { do :: sent - acked < 8 -> sent = sent + 1 :: sent - acked == 8 -> atomic { probes = probes + 1; if :: probes > 12000 && acked > 9000 && sent - acked == 8 -> sent = sent + 1 :: else fi } od }
active proctype Receiver() { do :: sent != acked -> acked = acked + 1 od }
active proctype Monitor() { end: do :: assert(sent - acked >= 0 && sent - acked <= 8) od }
