/* The limit is tested before the delay doubles twice. */
int delay = 1, attempts;
active proctype Sender() {
  end: do
  :: attempts = attempts + 1;
     if
     :: delay <= 512 -> delay = delay * 2; if :: delay = delay * 2 :: skip fi
     :: delay = 1
     fi
  od
}
active proctype Monitor() { end: do :: assert(delay >= 1 && delay <= 1024) od }
