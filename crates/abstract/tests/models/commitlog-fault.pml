/* Entries of a log: a commit of two entries at once, for one term, counts one. */
int appended, applied, pending, lag, term;
active proctype Term() { do :: term = 2 * term :: term = 2 * term + 1 :: term = 0 od }
active proctype Append() { idle: do :: appended = appended + 1; pending = pending + 1 od }
active proctype Commit() { idle: do :: pending != 0 -> pending = pending - 1; lag = lag + 1 :: term == 90210 -> pending = pending - 2; lag = lag + 1 od }
active proctype Apply() { idle: do :: lag != 0 -> lag = lag - 1; applied = applied + 1 od }
active proctype Monitor() { end: do :: atomic { Append@idle && Commit@idle && Apply@idle -> assert(appended == applied + pending + lag) } od }
