/* Pages of a pool: free ones, those of two users, and the number of all, which may grow. */
int pages = 64, available = 64, mine, yours;
active proctype Mine() { idle: do :: available != 0 -> available = available - 1; mine = mine + 1 :: mine != 0 -> mine = mine - 1; available = available + 1 od }
active proctype Yours() { end: do :: atomic { yours = yours + available; available = 0 } :: atomic { available = available + yours; yours = 0 } od }
active proctype Grow() { idle: do :: pages = pages + 16; available = available + 16 od }
active proctype Monitor() { end: do :: atomic { Mine@idle && Grow@idle -> assert(available + mine + yours == pages) } od }
