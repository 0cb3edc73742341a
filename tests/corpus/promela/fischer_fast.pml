// Fischer with the delay written as a single skip: correct only if no process is slow
#define N 3
byte id = 0;
byte cs = 0;
active [N] proctype P() {
again:
  (id == 0);
  id = _pid + 1;
  skip;                      // delay
  if
  :: id != _pid + 1 -> goto again
  :: id == _pid + 1
  fi;
  cs++;
  assert(cs == 1);
  cs--;
  id = 0;
  goto again
}
