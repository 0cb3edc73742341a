/* Exponential backoff: delays double up to a limit after failures, and start again after a success. */
int delay = 1, attempts, clock;
active proctype Sender() {
  end: do
  :: attempts = attempts + 1; clock = clock + delay;
     if
     :: atomic { delay > 512 -> delay = 1024 }
     :: atomic { delay <= 512 -> delay = delay * 2 }
     :: delay = 1
     fi
  od
}
active proctype Monitor() { end: do :: assert(delay >= 1 && delay <= 1024) od }
