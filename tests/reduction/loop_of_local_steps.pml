/* A loop of local steps postpones no process forever; a loop that also communicates is cut where it
   does. */
byte x;
chan c = [0] of { bit };
active proctype local_steps() { byte l; do :: l = 1; l = 2; l = 0 od }
active proctype server() { byte l; do :: l = 1; if :: c?_ -> l = 2 :: l == 1 -> l = 0 fi od }
active proctype late() { byte l; l = 1; x = 1; assert(x == 0) }
