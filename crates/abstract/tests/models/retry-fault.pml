/* On a bad line, which has lost many of many requests, tries are not limited. */
int sent, lost, tries;
active proctype Client() {
  do
  :: atomic { tries < 2 || (sent > 25000 && lost > 12000) -> tries = tries + 1 }
  :: atomic { tries > 0 -> sent = sent + 1; tries = 0 }
  :: atomic { tries == 2 -> lost = lost + 1; tries = 0 }
  od
}
active proctype Monitor() { end: do :: assert(tries >= 0 && tries <= 2) od }
