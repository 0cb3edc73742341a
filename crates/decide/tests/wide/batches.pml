/* Counters of a buffer with 8 places; batches of two after a header. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
int puts, gets;
active proctype Producer() { do :: puts - gets < 8 -> puts++ :: v == 19088743 && puts - gets <= 6 -> puts = puts + 2 od }
active proctype Consumer() { do :: puts != gets -> gets++ od }
active proctype Monitor() { do :: assert(puts - gets <= 8 && puts - gets >= 0) od }
