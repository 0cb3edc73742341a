int sent, acked;
active proctype Sender() { do :: sent - acked < 4 -> sent++ od }
active proctype Receiver() { do :: acked != sent -> acked++ od }
ltl window { [] (sent - acked <= 4) }
ltl narrow { [] (sent - acked <= 3) }
