/* A request is sent at most four times; the numbers of requests grow. */
int request, tries;
active proctype Client() {
  do
  :: tries < 4 -> tries = tries + 1; if :: request = request + 1; tries = 0 :: skip fi
  :: tries >= 4 -> request = request + 1; tries = 0
  od
}
active proctype Monitor() { end: do :: assert(tries >= 0 && tries <= 4) od }
