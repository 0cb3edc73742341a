/* Entries of a log are appended, committed and applied; two gauges follow in steps of their own. */
int appended, applied, pending, lag;
active proctype Append() { idle: do :: appended = appended + 1; pending = pending + 1 od }
active proctype Commit() { idle: do :: pending != 0 -> pending = pending - 1; lag = lag + 1 od }
active proctype Apply() { idle: do :: lag != 0 -> lag = lag - 1; applied = applied + 1 od }
active proctype Monitor() { end: do :: atomic { Append@idle && Commit@idle && Apply@idle -> assert(appended == applied + pending + lag) } od }
