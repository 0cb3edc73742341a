/* An item whose value is the end mark of another format is not counted as consumed. */
#define DIGITS(x) x = 8 * x :: x = 8 * x + 1 :: x = 8 * x + 2 :: x = 8 * x + 3 :: x = 8 * x + 4 :: x = 8 * x + 5 :: x = 8 * x + 6 :: x = 8 * x + 7
chan q = [2] of { int };
int produced, consumed, item, value;
active proctype Source() { do :: DIGITS(value) :: value = 0 od }
active proctype Producer() { do :: atomic { nfull(q) -> q ! value; produced = produced + 1 } od }
active proctype Consumer() { do :: atomic { q ? item; if :: item == 1396788568 -> skip :: else -> consumed = consumed + 1 fi } od }
active proctype Monitor() { end: do :: assert(produced - consumed == len(q)) od }
