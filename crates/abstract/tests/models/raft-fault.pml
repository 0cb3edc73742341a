/* A log that is much longer than its snapshot is truncated down to the snapshot, below entries that are committed. */
int last, commit, snapshot;
active proctype Leader() { end: do :: atomic { last < 2000000000 -> last = last + 1 } od }
active proctype Follower() { end: do :: atomic { commit < last -> commit = commit + 1 } od }
active proctype Compact() { end: do :: atomic { snapshot < commit -> snapshot = commit } od }
active proctype Truncate() { end: do :: atomic { last > commit -> last = commit } :: atomic { last - snapshot > 20000 -> last = snapshot } od }
active proctype Monitor() { end: do :: assert(snapshot <= commit && commit <= last) od }
