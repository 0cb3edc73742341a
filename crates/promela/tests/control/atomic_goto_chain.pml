byte x;
active [2] proctype P() {
  atomic { x++; if :: x > 1 -> goto out :: else -> goto in fi };
in: atomic { x = x + 2; goto again };
out: x--;
again: atomic { if :: x > 4 -> x = 0 :: else -> skip fi };
  x = 7
}
