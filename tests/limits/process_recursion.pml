/* Each process starts two others: states grow wider and wider. */
byte done;
proctype P(int depth) {
    if :: run P(depth + 1) :: run P(depth + 2) :: skip fi;
    done++
}
init { run P(0); run P(1); run P(2) }
