/* Long statistics switch to another limit, which is tested before the delay doubles twice. */
int delay = 1, failures, attempts;
active proctype Timer() { end: do :: attempts = attempts + 1 od }
active proctype Sender() {
  end: do
  :: atomic { delay <= 512 -> delay = delay * 2; failures = failures + 1 }
  :: atomic { attempts > 20000 && failures > 15000 -> delay = delay * 4 }
  :: delay = 1
  od
}
active proctype Monitor() { end: do :: assert(delay >= 1 && delay <= 1024) od }
