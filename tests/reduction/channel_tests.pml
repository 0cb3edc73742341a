/* Tests of channels beside alternatives, a second receiver that ends, and a sequence that blocks
   after its guarantee is used up. */
chan q = [1] of { byte };
chan r = [2] of { byte };
byte seen, inside;
active proctype Chooser() {
    byte x;
    if :: nempty(q) -> seen = 1; q?x :: empty(q) -> seen = 2 fi
}
active proctype Reader() {
    byte y;
    atomic { nempty(r) -> inside = 1; r?y; r?y; inside = 0 }
}
active proctype Writer() {
    r!1;
    q!1;
    if :: inside == 1 -> assert(seen != 2) :: skip fi;
    r!2
}
active proctype Thief() {
    byte z;
    if :: r?z :: skip fi
}
