/* The number of a process depends on the processes created before it. */
byte x, y;
proctype Other() { y = 1 }
proctype P() { x = _pid }
init { if :: run Other() :: skip fi; run P() }
ltl two { [] (x != 3) }
ltl three { [] (x != 2) }
