/* Two packets test the tokens before one of them takes some. */
int tokens = 5000, passed;
active proctype Refill() { end: do :: atomic { tokens <= 4900 -> tokens = tokens + 100 } od }
active [2] proctype Packet() { end: do :: tokens >= 2600 -> tokens = tokens - 2600; passed = passed + 1 od }
active proctype Monitor() { end: do :: assert(tokens >= 0 && tokens <= 5000) od }
