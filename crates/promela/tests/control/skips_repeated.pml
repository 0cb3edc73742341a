byte x;
active [2] proctype A() { if :: skip; skip; skip; x++ :: x == 0; skip; skip; skip :: printf("a"); printf("b"); skip fi; skip; skip; do :: skip; skip; break :: x++; break od }
