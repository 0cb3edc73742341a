/* A bucket of tokens of 32 bits with a limit. */
int tokens = 1000, taken; unsigned wish : 16;
active proctype Refill() { do :: tokens <= 990 -> tokens = tokens + 10 od }
active proctype User() {
  do
  :: wish = (wish * 3 + 7) & 1023
  :: atomic { tokens >= wish && wish > 0 -> tokens = tokens - wish; taken = wish }
  od
}
active proctype Monitor() { do :: assert(tokens >= 0 && tokens <= 1000) od }
