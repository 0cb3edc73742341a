/* A bounded buffer with counters of produced and consumed items. */
chan q = [2] of { int };
int produced, consumed, item;
active proctype Producer() { do :: atomic { nfull(q) -> q ! produced; produced = produced + 1 } od }
active proctype Consumer() { do :: atomic { q ? item; consumed = consumed + 1 } od }
active proctype Monitor() { end: do :: assert(produced - consumed == len(q)) od }
