/* A high-priority task waits for a lock that a low-priority task holds while a medium task runs. */
bool lock; bool high_waits, high_runs; byte medium;
active proctype low() { do :: atomic { !lock -> lock = true }; (medium == 0); lock = false od }
active proctype middle() { do :: medium = 1 - medium od }
active proctype high() { do :: high_waits = true; atomic { !lock -> lock = true }; high_runs = true; high_waits = false; high_runs = false; lock = false od }
ltl high_runs_eventually { [] (high_waits -> <> high_runs) }
