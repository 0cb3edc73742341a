/* The steps of a created process, and of a process that it creates in turn, count for processes that
   depend on them before the creation: the reader may look before, between and after. */
byte x;
proctype grandchild() { x = 2 }
proctype child() { x = 1; run grandchild() }
active proctype creator() { byte l; l = 1; run child() }
active proctype reader() { byte seen; seen = x; assert(seen != 1); seen = x; assert(seen != 2) }
