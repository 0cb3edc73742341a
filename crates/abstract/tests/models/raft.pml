/* Positions of a replicated log: snapshot, commit and last entry keep their order. */
int last, commit, snapshot;
active proctype Leader() { end: do :: atomic { last < 2000000000 -> last = last + 1 } od }
active proctype Follower() { end: do :: atomic { commit < last -> commit = commit + 1 } od }
active proctype Compact() { end: do :: atomic { snapshot < commit -> snapshot = commit } od }
active proctype Truncate() { end: do :: atomic { last > commit -> last = commit } od }
active proctype Monitor() { end: do :: assert(snapshot <= commit && commit <= last) od }
