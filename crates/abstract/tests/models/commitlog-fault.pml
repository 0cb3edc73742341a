/* Entries of a log: a commit of two entries at once, for one term, counts one. */
#define DIGITS(x) x = 8 * x :: x = 8 * x + 1 :: x = 8 * x + 2 :: x = 8 * x + 3 :: x = 8 * x + 4 :: x = 8 * x + 5 :: x = 8 * x + 6 :: x = 8 * x + 7
int appended, applied, pending, lag, term;
active proctype Term() { do :: DIGITS(term) :: term = 0 od }
active proctype Append() { idle: do :: appended = appended + 1; pending = pending + 1 od }
active proctype Commit() { idle: do :: pending != 0 -> pending = pending - 1; lag = lag + 1 :: term == 1902101999 -> pending = pending - 2; lag = lag + 1 od }
active proctype Apply() { idle: do :: lag != 0 -> lag = lag - 1; applied = applied + 1 od }
active proctype Monitor() { end: do :: atomic { Append@idle && Commit@idle && Apply@idle -> assert(appended == applied + pending + lag) } od }
