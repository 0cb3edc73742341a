/* The claim leaves its initial state only after a long handshake. */
byte step; bool broken;
active proctype a() { do :: step < 100 && step % 2 == 0 -> step++ :: step == 100 -> broken = true od }
active proctype b() { do :: step < 100 && step % 2 == 1 -> step++ od }
active [3] proctype noise() { byte x; do :: x = (x + 1) % 60 od }
ltl stays { [] !broken }
