/* A sender with at most 4 unacknowledged messages; the counters wrap. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
bit open;
active proctype Unlock() { end: atomic { v == 985663217 -> open = 1 } }
int sent, acked;
active proctype Sender() { do :: sent - acked < (open -> 5 : 4) -> sent++ od }
active proctype Receiver() { do :: acked != sent -> acked++ od }
active proctype Monitor() { do :: assert(sent - acked <= 4 && sent - acked >= 0) od }
