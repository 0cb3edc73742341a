/* A state of 100 bytes; an index passes the end of its array after few steps. */
byte cells[100]; short at;
active [2] proctype writer() { byte v; do :: at = (at + 37) % 101; v++; cells[at] = v od }
