/* A test-and-set lock for 4 processes: process 0 may wait forever. */
bool lock; bool wants, has;
active proctype first() { do :: wants = true; atomic { !lock -> lock = true }; has = true; wants = false; has = false; lock = false od }
active [4] proctype other() { do :: atomic { !lock -> lock = true }; lock = false od }
ltl served { [] (wants -> <> has) }
