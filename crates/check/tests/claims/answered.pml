byte req, ack;
active proctype Client() { do :: req == 0 && ack == 0 -> req = 1 :: ack == 1 -> ack = 0 od }
active proctype Server() { do :: req == 1 -> req = 0; ack = 1 od }
ltl answered { [] (req == 1 -> <> (ack == 1)) }
ltl low { [] (req < 2) }
ltl never_answered { [] (ack == 0) }
