/* A process that an atomic sequence creates takes part in the sequence: it receives control, and
   what it does then happens before others move. */
chan c = [0] of { byte };
byte x;
proctype child() { byte l; atomic { c?l; x = l; x = 0 } }
active proctype creator() { atomic { run child(); c!1; x = 2 } }
active proctype reader() { byte l; l = x; assert(l == 0 || l == 2); assert(l == 0) }
