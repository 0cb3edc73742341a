/* States of 16 kB, nearly all of which differ in a few words. */
typedef Row { int cell[64] };
Row table[64];
active [2] proctype P() {
    int i, j;
    do
    :: select(i : 0 .. 63); select(j : 0 .. 63); table[i].cell[j] = table[j].cell[i] + i + 1
    od
}
