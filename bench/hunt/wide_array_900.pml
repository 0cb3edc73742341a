/* A state of 900 bytes; an index passes the end of its array after few steps. */
byte cells[900]; short at;
active [2] proctype writer() { byte v; do :: at = (at + 37) % 901; v++; cells[at] = v od }
