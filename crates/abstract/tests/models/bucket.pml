/* A token bucket: a rate limiter with a capacity of 5000 tokens (Turner 1986). */
int tokens = 5000, passed, dropped;
active proctype Refill() { end: do :: atomic { if :: tokens > 4900 -> tokens = 5000 :: else -> tokens = tokens + 100 fi } od }
active proctype Packet() { end: do :: atomic { tokens >= 150 -> tokens = tokens - 150; passed = passed + 1 } :: atomic { tokens < 150 -> dropped = dropped + 1 } od }
active proctype Monitor() { end: do :: assert(tokens >= 0 && tokens <= 5000) od }
