/* Consumption is counted in a step of its own. */
chan q = [2] of { int };
int produced, consumed, item;
active proctype Producer() { do :: atomic { nfull(q) -> q ! produced; produced = produced + 1 } od }
active proctype Consumer() { do :: q ? item; consumed = consumed + 1 od }
active proctype Monitor() { end: do :: assert(produced - consumed == len(q)) od }
